// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/table_task.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/data/corpus.h"
#include "core/data/labelled_task.h"
#include "core/data/labelled_texts.h"
#include "core/data/permutation.h"
#include "core/data/task.h"
#include "core/data/task_tokenizer.h"
#include "core/io/tsv.h"
#include "core/io/utf8.h"

namespace tfm::data {
namespace {

/// The columns of the rows in use.
struct Table {
  std::vector<std::string> sources = {};
  std::vector<std::string> targets = {};
  std::int64_t left_out = 0;
  ReadingNotes notes = {};
};

/// The threshold below which the hash of a question is for evaluation; see firstTrainedHash().
std::uint64_t dividingHash(const TaskConfig& config, std::span<const std::uint64_t> hashes,
                           const std::string& shorter_than, std::int64_t left_out) {
  const std::set<std::uint64_t> different(hashes.begin(), hashes.end());
  if (different.size() < 2)
    throw Error("there are fewer than two different questions" + shorter_than + "; " +
                    std::to_string(left_out) + " rows are too long",
                corpusName(config), "Give more rows or a larger max_length.");
  return firstTrainedHash(different, config.held_out);
}

class TableTask final : public Task {
 public:
  /// Of characters.
  TableTask(const TaskConfig& config, TaskForm form, Vocabulary source, Vocabulary target,
            TaskLengths lengths, Table table)
      : Task(config, form, std::move(source), std::move(target), lengths) {
    std::vector<std::uint64_t> hashes;
    for (std::size_t i = 0; i < table.sources.size(); ++i) {
      const std::string& answer = table.targets[i];
      rows_.push_back({tokensOf(table.sources[i]), form == TaskForm::Classes
                                                       ? Ids{targetVocabulary().find(answer)}
                                                       : targetVocabulary().encode(answer)});
      hashes.push_back(stableHash(rows_.back().source));
    }
    left_out_ = table.left_out;
    setNotes(std::move(table.notes));
    divide(
        std::move(table), hashes,
        dividingHash(config, hashes,
                     " of at most " + std::to_string(longestInput()) + " characters", left_out_));
  }

  /// Questions and answers in the tokens of `tokenizer`. `hashes` are those of the questions, which
  /// are for evaluation below `first_trained`.
  TableTask(const TaskConfig& config, std::unique_ptr<const Tokenizer> tokenizer,
            const Vocabulary& vocabulary, TaskLengths lengths, Table table,
            std::vector<std::uint64_t> hashes, std::uint64_t first_trained)
      : Task(config, TaskForm::Sequence, std::move(tokenizer), vocabulary, lengths) {
    setNotes(std::move(table.notes));
    Table kept;
    std::size_t count = 0;
    for (std::size_t i = 0; i < table.sources.size(); ++i) {
      Example row{tokensOf(table.sources[i]), tokensOf(table.targets[i])};
      if (row.source.empty() || row.target.empty() || std::ssize(row.source) > longestInput() ||
          std::ssize(row.target) > longestInput())
        continue;
      hashes[count++] = hashes[i];
      rows_.push_back(std::move(row));
      kept.sources.push_back(std::move(table.sources[i]));
      kept.targets.push_back(std::move(table.targets[i]));
    }
    left_out_ = static_cast<std::int64_t>(table.sources.size() - count);
    hashes.resize(count);
    divide(std::move(kept), hashes, first_trained);
    for (const std::vector<std::size_t>* side : {&training_, &evaluation_})
      if (side->empty())
        throw Error("no " + std::string(side == &training_ ? "training" : "held-out") +
                        " row remains; " + std::to_string(left_out_) + " rows are too long",
                    corpusName(config), "Give more rows or a larger max_length.");
  }

  Example example(Split split, std::uint64_t seed, std::uint64_t index) const override {
    return rows_[row(split, seed, index)];
  }

  std::int64_t exampleCount(Split split) const override {
    return static_cast<std::int64_t>(of(split).size());
  }

  std::int64_t leftOut() const override { return left_out_; }

  std::string questionText(Split split, std::uint64_t seed, std::uint64_t index) const override {
    return texts_.sources[row(split, seed, index)];
  }
  std::string rightAnswerText(Split split, std::uint64_t seed, std::uint64_t index) const override {
    return texts_.targets[row(split, seed, index)];
  }

  std::optional<Ids> rightAnswer(std::span<const std::int32_t> question) const override {
    return onlyAnswer(rows_, question);
  }

 private:
  const std::vector<std::size_t>& of(Split split) const {
    return split == Split::Training ? training_ : evaluation_;
  }
  std::size_t row(Split split, std::uint64_t seed, std::uint64_t index) const {
    return of(
        split)[static_cast<std::size_t>(storedNumber(split, exampleCount(split), seed, index))];
  }

  void divide(Table texts, std::span<const std::uint64_t> hashes, std::uint64_t first_trained) {
    texts_ = std::move(texts);
    for (std::size_t i = 0; i < rows_.size(); ++i)
      (hashes[i] < first_trained ? evaluation_ : training_).push_back(i);
  }

  std::vector<Example> rows_;
  Table texts_;                        // of these rows
  std::vector<std::size_t> training_;  // indices of rows
  std::vector<std::size_t> evaluation_;
  std::int64_t left_out_ = 0;
};

std::int64_t characterCount(const std::string& text) {
  return static_cast<std::int64_t>(io::decodeUtf8(text).size());
}

Error allTooLong(const TaskConfig& config, std::int64_t rows) {
  return Error("all " + std::to_string(rows) + " rows are too long for max_length " +
                   std::to_string(config.max_length),
               corpusName(config), "Give a larger max_length.");
}

/// Pairs in tokens that a tokenizer learns from both sides.
std::unique_ptr<Task> makeTokenizedPairs(const TaskConfig& config, Table table) {
  if (!canWrite(findTokenizer(config.tokenizer)))
    throw Error("the tokenizer " + config.tokenizer + " cannot write text, as answers require",
                "task.tokenizer", "Choose bpe or character.");
  std::vector<std::uint64_t> hashes;
  for (const std::string& source : table.sources) hashes.push_back(stableHash(source));
  const std::uint64_t first_trained = dividingHash(config, hashes, "", 0);
  std::unique_ptr<Tokenizer> tokenizer = taskTokenizer(config, [&] {
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < hashes.size(); ++i)
      if (hashes[i] >= first_trained)
        texts.insert(texts.end(), {table.sources[i], table.targets[i]});
    return texts;
  });
  const Vocabulary vocabulary = tokenizer->vocabulary();
  const TaskLengths lengths{
      .source = config.max_length, .target = config.max_length, .input = config.max_length - 1};
  return std::make_unique<TableTask>(config, std::move(tokenizer), vocabulary, lengths,
                                     std::move(table), std::move(hashes), first_trained);
}

}  // namespace

std::unique_ptr<Task> makePairs(const TaskConfig& config) {
  const std::int64_t longest = config.max_length - 1;
  const bool characters = !usesTokenizer(config);
  CorpusText corpus = readCorpus(config);
  Table table{.notes = std::move(corpus.notes)};
  for (io::TextPair& row :
       io::parseTsv(corpus.text, corpusName(config), io::ExtraColumns::Ignore)) {
    if (characters &&
        (characterCount(row.first) > longest || characterCount(row.second) > longest)) {
      ++table.left_out;
      continue;
    }
    table.sources.push_back(std::move(row.first));
    table.targets.push_back(std::move(row.second));
  }
  if (!characters) return makeTokenizedPairs(config, std::move(table));
  if (table.sources.empty()) throw allTooLong(config, table.left_out);
  Vocabulary source = Vocabulary::withStartAndPad(charactersOf(table.sources));
  Vocabulary target = Vocabulary::withStartAndPad(charactersOf(table.targets));
  return std::make_unique<TableTask>(
      config, TaskForm::Sequence, std::move(source), std::move(target),
      TaskLengths{.source = config.max_length, .target = config.max_length, .input = longest},
      std::move(table));
}

std::unique_ptr<Task> makeClasses(const TaskConfig& config) {
  if (isLabelled(config))
    return makeLabelled(config, readLabelledCorpus(config, labelColumn(config)));

  CorpusText corpus = readCorpus(config);
  Table table{.notes = std::move(corpus.notes)};
  std::set<std::string> labels;
  for (io::TextPair& row : io::parseTsv(corpus.text, corpusName(config))) {
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
      TaskLengths{.source = config.max_length, .target = 1, .input = config.max_length},
      std::move(table));
}

}  // namespace tfm::data
