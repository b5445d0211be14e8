// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/report/report.h"

namespace tfm::report {

/// What is found when a figure's numbers are computed anew from the model in the report.
enum class Verdict {
  Agrees,    ///< the same numbers, up to kAgree
  Recorded,  ///< of the history in the model: the same as there, and not computed anew
  Drawn,     ///< of a kind whose numbers cannot be computed from a document: as they were drawn
  Differs,   ///< other numbers
  Fails,     ///< the report does not have what they are computed from
};
/// "agrees", "recorded", "as drawn", "differs", "fails".
std::string_view verdictName(Verdict verdict);

struct CheckedItem {
  std::string title;
  Verdict verdict = Verdict::Drawn;
  double difference = 0.0;  ///< see differenceOf()
  std::optional<Error> problem = {};
};

/// A page of the lesson, judged as the program's panel judges it, on the model in the report.
struct CheckedPage {
  std::string title, prediction, answer;
  /// What the right answer comes to on the model in the report; empty: the page asks none, or the
  /// model there does not have it.
  std::string right;
  bool said_done = false;  ///< when it was handed in
  /// Whether answer and checks still hold on the model in the report. A page whose deed a later
  /// page undoes was done, and is not done now.
  bool done_now = false;
};

struct CheckedReport {
  std::string title, author = {}, lesson = {};
  std::vector<CheckedItem> items = {};
  std::vector<CheckedPage> pages = {};
  std::vector<lesson::Absence> absences = {};  ///< during an exam
  /// The page's text is not the one that its numbers and answers make: it was edited, or saved by
  /// another version of the program.
  bool edited = false;
  std::string fingerprint = {};  ///< of the model of the last figure, else of the lesson

  bool isSound() const;
};

/// Computes the numbers of a report anew and judges its answers. `html`: as it was read. Throws
/// Error for what is no report.
CheckedReport check(std::string_view html, const std::string& where);

}  // namespace tfm::report
