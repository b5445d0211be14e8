// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/header.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>

#include "core/data/labelled_texts.h"
#include "core/io/message_text.h"
#include "core/io/text_table.h"

namespace tfm::data {
namespace {

using Names = std::span<const std::string_view>;  // of columns

// Less usual ones: a table may have a title beside its text, and a class beside its label.
constexpr std::array<std::string_view, 14> kOtherTextNames{
    "tweet", "comment", "message", "document", "content", "body",  "phrase",
    "post",  "query",   "texts",   "reviews",  "title",   "input", "utterance"};
constexpr std::array<std::string_view, 12> kOtherLabelNames{
    "labels", "class", "category", "target",  "topic",  "polarity",
    "intent", "stars", "rating",   "emotion", "output", "tag"};
constexpr std::array<std::string_view, 8> kQuestionNames{
    "source", "src", "question", "input", "prompt", "original", "text", "sentence"};
constexpr std::array<std::string_view, 8> kAnswerNames{
    "target", "tgt", "answer", "output", "response", "translation", "trg", "label"};
// Without codes that are words, such as it and es.
constexpr std::array<std::string_view, 43> kLanguages{
    "english",   "german",      "french",    "spanish",    "italian",  "portuguese", "dutch",
    "russian",   "chinese",     "japanese",  "korean",     "arabic",   "hindi",      "turkish",
    "polish",    "swedish",     "danish",    "norwegian",  "finnish",  "greek",      "czech",
    "hungarian", "romanian",    "ukrainian", "vietnamese", "latin",    "esperanto",  "deutsch",
    "englisch",  "französisch", "français",  "anglais",    "allemand", "español",    "inglés",
    "italiano",  "en",          "de",        "fr",         "eng",      "deu",        "fra",
    "spa"};

bool isNamed(Names names, std::string_view cell) {
  const std::string lower = asciiLower(io::withoutWhiteSpace(cell));
  return std::ranges::find(names, lower) != names.end();
}

/// The only column with one of the first names, or else of the others.
std::optional<std::size_t> columnNamed(std::span<const std::string> header, Names first,
                                       Names others) {
  for (const Names names : {first, others}) {
    const auto is_named = [&](const std::string& cell) { return isNamed(names, cell); };
    const auto count = std::ranges::count_if(header, is_named);
    if (count > 1) return std::nullopt;
    if (count == 1) return std::size_t(std::ranges::find_if(header, is_named) - header.begin());
  }
  return std::nullopt;
}

std::string cellsText(std::span<const std::string> cells) {
  constexpr std::size_t kMaxShown = 4;
  std::string text;
  for (std::size_t i = 0; i < std::min(cells.size(), kMaxShown); ++i)
    text += (i == 0 ? "" : ", ") + io::inQuotes(io::shortened(cells[i], 30));
  return cells.size() > kMaxShown ? text + ", ..." : text;
}

std::string rowText(const io::CsvRow& row, const std::string& where) {
  return where + ", line " + std::to_string(row.line) + ": " + cellsText(row.cells);
}

ReadingNote readAsHeader(const io::CsvRow& row, const std::string& where, const char* example) {
  return {rowText(row, where) + " is read as the header", "header", "no",
          std::string("reads it as ") + example};
}

ReadingNote readAsRow(const io::CsvRow& row, const std::string& where, const char* example,
                      const std::string& why) {
  return {rowText(row, where) + " is read as " + example + ", although " + why, "header", "yes",
          "reads it as the header"};
}

/// How often each label occurs after the first row.
std::map<std::string, std::int64_t> labelCounts(std::span<const io::CsvRow> rows,
                                                std::size_t label) {
  std::map<std::string, std::int64_t> counts;
  for (const io::CsvRow& row : rows.subspan(1))
    if (label < row.cells.size()) ++counts[std::string(io::withoutWhiteSpace(row.cells[label]))];
  return counts;
}

}  // namespace

std::optional<std::size_t> textColumnIn(std::span<const std::string> header) {
  return columnNamed(header, kTextNames, kOtherTextNames);
}

std::optional<std::size_t> labelColumnIn(std::span<const std::string> header) {
  return columnNamed(header, kLabelNames, kOtherLabelNames);
}

bool hasLabelledHeader(std::span<const io::CsvRow> rows, std::size_t label, TableHeader given,
                       const std::string& where, ReadingNotes& notes) {
  if (given != TableHeader::Found) return given == TableHeader::Yes;
  const io::CsvRow& first = rows.front();
  if (label >= first.cells.size()) return false;
  const auto text = textColumnIn(first.cells), named = labelColumnIn(first.cells);
  const std::map<std::string, std::int64_t> counts = labelCounts(rows, label);
  const std::string own(io::withoutWhiteSpace(first.cells[label]));
  const bool alone = !counts.contains(own);
  // Names of both columns; or of one, where its label is no other row's.
  if ((text && named && *text != *named) ||
      (alone && (text || isNamed(kLabelNames, own) || isNamed(kOtherLabelNames, own)))) {
    notes.push_back(readAsHeader(first, where, "an example"));
    return true;
  }
  constexpr std::size_t kFewRows = 5;
  const auto is_often = [](const auto& one) { return one.second > 1; };
  if (alone && counts.size() > 1 && rows.size() > kFewRows && std::ranges::all_of(counts, is_often))
    notes.push_back(
        readAsRow(first, where, "an example", "no other line has the label " + io::inQuotes(own)));
  return false;
}

bool hasPairsHeader(std::span<const io::CsvRow> rows, TableHeader given, const std::string& where,
                    ReadingNotes& notes) {
  if (given != TableHeader::Found) return given == TableHeader::Yes;
  const io::CsvRow& first = rows.front();
  if (first.cells.size() < 2) return false;
  const auto is_name = [](const std::string& cell) {
    return isNamed(kQuestionNames, cell) || isNamed(kAnswerNames, cell) ||
           isNamed(kLanguages, cell);
  };
  const auto names = std::ranges::count_if(first.cells.begin(), first.cells.begin() + 2, is_name);
  if (names == 2) notes.push_back(readAsHeader(first, where, "a question and its answer"));
  if (names == 1)
    notes.push_back(readAsRow(first, where, "a question and its answer",
                              "one of them is often the name of a column"));
  return names == 2;
}

}  // namespace tfm::data
