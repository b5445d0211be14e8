// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace tfm::lesson {

/// What a page is for. A lesson has its pages in this order.
enum class Part { WarmUp, Play, Page, Question, Experiment };

/// As in files: "warm-up", "play", "page", "question", "experiment".
std::string_view partName(Part part);

/// What a page asks the student: one of some choices or, without them, a number.
struct Question {
  std::string ask;
  std::vector<std::string> choices;
  /// The right choice, or a number, mostly a live one such as "{loss}". A prediction may have none.
  std::string right;
  double within = 0.0;    ///< how far from the right number an answer may be
  std::int64_t line = 0;  ///< in its file, counted from 1
};

/// What the program has to see before a page is done: a row of checkKinds() with its words.
struct Check {
  std::size_t kind = 0;
  std::vector<std::string> words;  ///< one for each slot of its pattern
  std::string text;                ///< as it was written
  std::int64_t line = 0;
};

/// A part of the window that a page points at or a lesson locks: a row of targets().
struct Pointed {
  std::size_t target = 0;
  std::int64_t line = 0;
};

struct Page {
  std::string title;  ///< one question
  Part part = Part::Page;
  std::string markdown;  ///< with {live values}; its first line is the one after the title
  std::string screen;    ///< that opens with it; empty: the open one
  bool inspector = false;
  std::vector<Pointed> point;
  std::string deed;  ///< what to do, one sentence; empty: read
  std::vector<Check> checks;
  std::optional<Question> prediction;  ///< to be answered before the deed
  std::optional<Question> question;
  std::vector<std::string> hints;
  std::string solution;
  std::string notes;      ///< for the teacher
  std::int64_t line = 0;  ///< of its title

  /// Whether there is something to do or to answer.
  bool asks() const { return !checks.empty() || question.has_value(); }
};

/// A link or picture of a lesson.
struct Link {
  std::string target;
  std::int64_t line = 0;
};

/// A lesson, as its author wrote it.
struct Lesson {
  std::string title;
  std::string needs;  ///< what one has to know
  std::vector<std::string> goals;
  std::int64_t minutes = 0;
  std::string start;  ///< a document, relative to the lesson's folder, or "preset NAME"
  std::string data;   ///< a text that the preset learns from, relative to the lesson's folder
  std::string text;   ///< that the model reads at the start; empty: its own
  std::vector<std::string> screens;  ///< that it uses; empty: all
  bool same_numbers = false;         ///< see train::TrainConfig
  std::vector<Pointed> locked;       ///< what cannot be used while it is open
  std::string password;              ///< that unlocks it, see core/lesson/password.h; empty: none
  bool exam = false;                 ///< with a clock, and leaving is recorded
  std::vector<Page> pages;
  std::vector<Link> links;
  std::int64_t start_line = 0;
};

/// A lesson and what is wrong with it. Each problem says what, where ("FILE:LINE") and how to mend
/// it. A lesson with problems holds what could be read.
struct ReadLesson {
  Lesson lesson;
  std::vector<Error> problems;
};

/// Reads NAME.lesson.md: a head in YAML between lines of ---, then pages in Markdown, each with a
/// heading of level 1 and at most one block ```page, in YAML. `name`: of the file, for messages.
/// What depends on a model or on other files is not checked here; see lesson_check.h.
ReadLesson readLesson(std::string_view text, const std::string& name);

/// The same from a file. Throws Error if it cannot be read.
ReadLesson readLessonFile(const std::filesystem::path& path);

/// A key of the head or of a page block.
struct KeyWords {
  std::string_view name;
  std::string_view meaning;
};
std::vector<KeyWords> headKeys();
std::vector<KeyWords> pageKeys();

/// "FILE:LINE".
std::string placeOf(const std::string& name, std::int64_t line);

}  // namespace tfm::lesson
