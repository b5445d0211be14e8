// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/lesson/lesson.h"
#include "core/lesson/situation.h"

namespace tfm::lesson {

/// What a student has done on one page.
struct PageProgress {
  std::string prediction, answer;  ///< empty: none yet
  std::int64_t attempts = 0;       ///< wrong answers
  std::int64_t hints = 0;          ///< shown ones; the solution is the last
  bool done = false;               ///< once it was, it stays so
  bool operator==(const PageProgress&) const = default;
};

/// A time in which a student looked at something else during an exam.
struct Absence {
  std::int64_t after = 0;  ///< seconds since the exam began
  std::int64_t seconds = 0;
  bool operator==(const Absence&) const = default;
};

/// A student's way through a lesson.
struct Progress {
  std::int64_t page = 0;  ///< the open one
  std::vector<PageProgress> pages;
  std::int64_t begun = 0;  ///< of an exam: seconds since 1970; 0: it has not begun
  std::int64_t seen = 0;   ///< when one was last there, in seconds since then
  std::vector<Absence> absences;
  bool operator==(const Progress&) const = default;
};

/// How long one was away, in seconds.
std::int64_t secondsAway(std::span<const Absence> absences);

/// As JSON, and back. Throws Error.
std::string toJson(const Progress& progress);
Progress progressFromJson(std::string_view json, const std::string& where);

/// Whether a page is done: its prediction was made, its question answered rightly, and its checks
/// hold. `right`: what the question's right answer comes to, with live values; nullopt: not known
/// yet. A page that asks nothing is never done.
bool isDone(const Page& page, const Situation& situation, const PageProgress& progress,
            const std::optional<std::string>& right);

/// Whether an answer is right: the choice, or a number within the tolerance.
bool isRight(const Question& question, const std::string& answer, const std::string& right);

}  // namespace tfm::lesson
