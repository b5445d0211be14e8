// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/document/document.h"
#include "core/io/safetensors.h"
#include "core/lesson/progress.h"
#include "core/report/numbers.h"

namespace tfm::report {

/// The data of a figure as it was shown: names of columns, then rows.
struct Table {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
  bool operator==(const Table&) const = default;
};

/// What a document shows: which of Report::models, and what of it is no part of the model, such as
/// the window's state, what is off, and the moments that are shown.
struct Shown {
  std::size_t model = 0;
  io::TensorFile state;
  bool operator==(const Shown&) const = default;
};

/// Something that was put into a report: a picture with its numbers.
struct Item {
  std::string title;    ///< what it shows
  std::string note;     ///< by the student, plain text
  std::string picture;  ///< SVG, on paper
  Table table;
  Source source;               ///< where the numbers come from
  std::vector<Block> numbers;  ///< of a known source, see numbersOf()
  std::int64_t step = 0;       ///< of the weights
  std::string fingerprint;     ///< see train::fingerprintOf()
  Shown shown;
  bool operator==(const Item&) const = default;
};

/// How far a student came in a lesson, and what was answered.
struct LessonAnswers {
  std::string file;  ///< "1-attention.lesson.md"
  std::string text;  ///< the whole lesson, as its author wrote it
  lesson::Progress progress = {};
  Shown shown = {};  ///< what the last answers are about
  bool operator==(const LessonAnswers&) const = default;
};

/// What a student hands in, as one file. It has a name only if the student gives one.
struct Report {
  std::string title, author = {};
  std::vector<Item> items = {};
  std::optional<LessonAnswers> lesson = {};
  std::vector<io::TensorFile> models = {};  ///< without moments of the optimizer
  bool operator==(const Report&) const = default;
};

/// Puts a document into a report. Models that are there already are not kept twice. Of the moments
/// that the window keeps, only those that it shows go with it.
Shown keep(train::Document document, Report& report);
/// The document as it was put there. Throws Error.
train::Document documentOf(const Report& report, const Shown& shown);
/// Removes models that nothing in the report shows.
void dropUnused(Report& report);

/// Appends a figure that itemOf() made for another report, with its model.
void append(Item item, const Report& from, Report& report);

/// The figure with what is computed from the document: its numbers, step and fingerprint. Throws
/// Error.
Item itemOf(const train::Document& document, Item drawn, Report& report);

}  // namespace tfm::report
