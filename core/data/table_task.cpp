// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/table_task.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "core/base/error.h"
#include "core/data/corpus.h"
#include "core/data/labelled_task.h"
#include "core/data/labelled_texts.h"
#include "core/data/permutation.h"
#include "core/data/task.h"
#include "core/io/tsv.h"
#include "core/io/utf8.h"

namespace tfm::data {
namespace {

/// The columns of the rows in use.
struct Table {
  std::vector<std::string> sources;
  std::vector<std::string> targets;
  std::int64_t left_out = 0;
};

class TableTask final : public Task {
 public:
  TableTask(const TaskConfig& config, TaskForm form, Vocabulary source, Vocabulary target,
            TaskLengths lengths, const Table& table)
      : Task(config, form, std::move(source), std::move(target), lengths),
        left_out_(table.left_out) {
    for (std::size_t i = 0; i < table.sources.size(); ++i) {
      const std::string& answer = table.targets[i];
      rows_.push_back({sourceVocabulary().encode(table.sources[i]),
                       form == TaskForm::Classes ? Ids{targetVocabulary().find(answer)}
                                                 : targetVocabulary().encode(answer)});
    }
    divide();
  }

  Example example(Split split, std::uint64_t seed, std::uint64_t index) const override {
    const std::vector<std::size_t>& side = split == Split::Training ? training_ : evaluation_;
    const std::int64_t number = storedNumber(split, exampleCount(split), seed, index);
    return rows_[side[static_cast<std::size_t>(number)]];
  }

  std::int64_t exampleCount(Split split) const override {
    return static_cast<std::int64_t>((split == Split::Training ? training_ : evaluation_).size());
  }

  std::int64_t leftOut() const override { return left_out_; }

  std::optional<Ids> rightAnswer(std::span<const std::int32_t> question) const override {
    if (form() == TaskForm::Classes) return std::nullopt;
    std::optional<Ids> answer;
    for (const Example& row : rows_) {
      if (!std::ranges::equal(row.source, question)) continue;
      if (answer && *answer != row.target) return std::nullopt;
      answer = row.target;
    }
    return answer;
  }

 private:
  void divide() {
    std::set<std::uint64_t> hashes;
    for (const Example& row : rows_) hashes.insert(stableHash(row.source));
    if (hashes.size() < 2)
      throw Error("there are fewer than two different questions of at most " +
                      std::to_string(longestInput()) + " characters; " + std::to_string(left_out_) +
                      " rows are too long",
                  corpusName(config()), "Give more rows or a larger max_length.");
    const std::uint64_t first_trained = firstTrainedHash(hashes, config().held_out);
    for (std::size_t i = 0; i < rows_.size(); ++i)
      (stableHash(rows_[i].source) < first_trained ? evaluation_ : training_).push_back(i);
  }

  std::vector<Example> rows_;
  std::vector<std::size_t> training_;  // indices of rows
  std::vector<std::size_t> evaluation_;
  std::int64_t left_out_;
};

std::int64_t characterCount(const std::string& text) {
  return static_cast<std::int64_t>(io::decodeUtf8(text).size());
}

Error allTooLong(const TaskConfig& config, std::int64_t rows) {
  return Error("all " + std::to_string(rows) + " rows are too long for max_length " +
                   std::to_string(config.max_length),
               corpusName(config), "Give a larger max_length.");
}

}  // namespace

std::unique_ptr<Task> makePairs(const TaskConfig& config) {
  const std::int64_t longest = config.max_length - 1;
  Table table;
  for (io::TextPair& row :
       io::parseTsv(corpusText(config), corpusName(config), io::ExtraColumns::Ignore)) {
    if (characterCount(row.first) > longest || characterCount(row.second) > longest) {
      ++table.left_out;
      continue;
    }
    table.sources.push_back(std::move(row.first));
    table.targets.push_back(std::move(row.second));
  }
  if (table.sources.empty()) throw allTooLong(config, table.left_out);
  return std::make_unique<TableTask>(
      config, TaskForm::Sequence, Vocabulary::withStartAndPad(charactersOf(table.sources)),
      Vocabulary::withStartAndPad(charactersOf(table.targets)),
      TaskLengths{.source = config.max_length, .target = config.max_length, .input = longest},
      table);
}

std::unique_ptr<Task> makeClasses(const TaskConfig& config) {
  if (isLabelled(config))
    return makeLabelled(config, readLabelledCorpus(config, labelColumn(config)));

  Table table;
  std::set<std::string> labels;
  for (io::TextPair& row : io::parseTsv(corpusText(config), corpusName(config))) {
    if (config.label_first) std::swap(row.first, row.second);
    if (characterCount(row.first) > config.max_length) {
      ++table.left_out;
      continue;
    }
    labels.insert(row.second);
    table.sources.push_back(std::move(row.first));
    table.targets.push_back(std::move(row.second));
  }
  if (table.sources.empty()) throw allTooLong(config, table.left_out);
  if (labels.size() < 2 || labels.size() > kMaxLabels)
    throw Error("there are " + std::to_string(labels.size()) + " different labels, expected 2 to " +
                    std::to_string(kMaxLabels),
                corpusName(config),
                config.label_first ? "The first column is read as the label (label_first)."
                                   : "The second column is read as the label; set label_first to "
                                     "read the first one.");

  std::vector<std::string> characters = charactersOf(table.sources);
  const auto pad = static_cast<std::int32_t>(characters.size());
  characters.emplace_back("<pad>");
  return std::make_unique<TableTask>(
      config, TaskForm::Classes, Vocabulary(std::move(characters), {.pad = pad}),
      Vocabulary({labels.begin(), labels.end()}, {}),
      TaskLengths{.source = config.max_length, .target = 1, .input = config.max_length}, table);
}

}  // namespace tfm::data
