// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/labelled_task.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/data/cleaning.h"
#include "core/data/features/batch_features.h"
#include "core/data/features/encoder_tokens.h"
#include "core/data/features/text_features.h"
#include "core/data/permutation.h"
#include "core/data/split.h"
#include "core/data/task.h"
#include "core/data/task_tokenizer.h"
#include "core/io/message_text.h"

namespace tfm::data {
namespace {

std::string nameOf(const std::string& path) { return path.empty() ? "text of the task" : path; }

/// Moves the texts with the lowest hashes to the test texts. The text is hashed, not its tokens, so
/// that the split does not depend on the vocabulary.
void holdOut(LabelledCorpus& corpus, const TaskConfig& config) {
  const auto hash = [](const LabelledText& row) { return stableHash(row.text); };
  std::set<std::uint64_t> hashes;
  for (const LabelledText& row : corpus.training) hashes.insert(hash(row));
  if (hashes.size() < 2)
    throw Error("there are fewer than two different texts", nameOf(config.path),
                "Give more texts.");
  const std::uint64_t first_trained = firstTrainedHash(hashes, config.held_out);
  const auto held_out =
      std::stable_partition(corpus.training.begin(), corpus.training.end(),
                            [&](const LabelledText& row) { return hash(row) >= first_trained; });
  corpus.test.assign(std::make_move_iterator(held_out),
                     std::make_move_iterator(corpus.training.end()));
  corpus.training.erase(held_out, corpus.training.end());
}

/// The first few labels, for a message.
std::string listed(const std::set<std::string>& labels) {
  constexpr std::size_t kMaxShown = 8;
  std::string words;
  std::size_t count = 0;
  for (const std::string& label : labels) {
    if (count++ == kMaxShown) return words + ", ...";
    words += (words.empty() ? "" : ", ") + io::inQuotes(label);
  }
  return words;
}

Vocabulary classesOf(const LabelledCorpus& corpus, const TaskConfig& config) {
  const std::set<std::string> labels = labelsOf(corpus.training);
  for (const LabelledText& row : corpus.test)
    if (!labels.contains(row.label))
      throw Error("the label " + io::inQuotes(row.label) + " is not in the training texts",
                  nameOf(config.test_path), "Training labels: " + listed(labels) + '.');
  if (labels.size() < 2 || labels.size() > kMaxLabels)
    throw Error(
        "there are " + std::to_string(labels.size()) + " different labels, expected 2 to " +
            std::to_string(kMaxLabels),
        nameOf(config.path),
        "Choose a file with texts of all classes, or choose the label column with label_first.");
  return {{labels.begin(), labels.end()}, {}};
}

std::unique_ptr<Tokenizer> tokenizerOf(const TaskConfig& config,
                                       const std::vector<LabelledText>& training) {
  if (!config.encoder_path.empty())
    return config.vocabulary.empty()
               ? encoderTokens(config.encoder_path)
               : encoderTokens(config.encoder_path, config.vocabulary, config.tokenizer_rules);
  return taskTokenizer(config, [&training] {
    std::vector<std::string> texts;
    for (const LabelledText& row : training) texts.push_back(row.text);
    return texts;
  });
}

/// The frozen encoder of a config, or nullptr.
std::shared_ptr<TextFeatures> featuresOf(const TaskConfig& config) {
  if (config.encoder_path.empty()) return nullptr;
  auto features = std::make_shared<TextFeatures>(config.encoder_path, config.encoder_content);
  if (config.max_length > features->longest())
    throw Error("max_length is " + std::to_string(config.max_length), config.encoder_path,
                "The encoder reads up to " + std::to_string(features->longest()) + " tokens");
  return features;
}

class LabelledTask final : public Task {
 public:
  LabelledTask(const TaskConfig& config, std::unique_ptr<const Tokenizer> tokenizer,
               Vocabulary classes, LabelledCorpus corpus)
      : Task(config, TaskForm::Classes, std::move(tokenizer), std::move(classes),
             {.source = config.max_length, .target = 1, .input = config.max_length},
             featuresOf(config)) {
    setNotes(std::move(corpus.notes));
    take(std::move(corpus.training), training_);
    take(std::move(corpus.test), evaluation_);
    for (const Side* side : {&training_, &evaluation_})
      if (side->examples.empty())
        throw Error(
            "no " + std::string(side == &training_ ? "training" : "test") + " text has a token",
            nameOf(side == &training_ ? config.path : config.test_path),
            "Are the texts and the vocabulary in the same language?");
    if (features() != nullptr) features()->expect(storedQuestions(*this));
  }

  Example example(Split split, std::uint64_t seed, std::uint64_t index) const override {
    return of(split).examples[number(split, seed, index)];
  }
  std::int64_t exampleCount(Split split) const override {
    return static_cast<std::int64_t>(of(split).examples.size());
  }
  /// Of a text of either side that is read as these tokens.
  std::optional<Ids> rightAnswer(std::span<const std::int32_t> question) const override {
    std::vector<Example> known;
    for (const Side* side : {&training_, &evaluation_})
      for (const Example& row : side->examples)
        if (std::ranges::equal(row.source, question)) known.push_back(row);
    return onlyAnswer(known, question);
  }
  std::int64_t leftOut() const override { return left_out_; }
  std::int64_t cutExamples(Split split) const override { return of(split).cut; }
  std::string questionText(Split split, std::uint64_t seed, std::uint64_t index) const override {
    return of(split).texts[number(split, seed, index)];
  }

 private:
  struct Side {
    std::vector<Example> examples;
    std::vector<std::string> texts;
    std::int64_t cut = 0;
  };

  const Side& of(Split split) const { return split == Split::Training ? training_ : evaluation_; }
  std::size_t number(Split split, std::uint64_t seed, std::uint64_t index) const {
    return static_cast<std::size_t>(storedNumber(split, exampleCount(split), seed, index));
  }

  void take(std::vector<LabelledText> rows, Side& side) {
    for (LabelledText& row : rows) {
      Ids ids = tokensOf(row.text);
      if (ids.empty()) {
        ++left_out_;
        continue;
      }
      if (static_cast<std::int64_t>(ids.size()) > maxSourceLength()) {
        shorten(ids);
        ids.shrink_to_fit();
        ++side.cut;
      }
      side.examples.push_back({std::move(ids), {targetVocabulary().find(row.label)}});
      side.texts.push_back(std::move(row.text));
    }
  }

  Side training_;
  Side evaluation_;
  std::int64_t left_out_ = 0;
};

}  // namespace

std::unique_ptr<Task> makeLabelled(const TaskConfig& config, LabelledCorpus corpus) {
  if (config.clean)
    for (auto* side : {&corpus.training, &corpus.test})
      for (LabelledText& row : *side) row.text = cleanText(row.text);
  Vocabulary classes = classesOf(corpus, config);
  if (corpus.test.empty()) holdOut(corpus, config);
  std::unique_ptr<Tokenizer> tokenizer = tokenizerOf(config, corpus.training);
  return std::make_unique<LabelledTask>(config, std::move(tokenizer), std::move(classes),
                                        std::move(corpus));
}

bool takesLabelledTexts(std::string_view kind) { return kind == "classes" || kind == "sentiment"; }

bool isLabelled(const TaskConfig& config) {
  if (config.kind == "sentiment") return !config.path.empty() || !config.text.empty();
  const bool as_characters = config.tokenizer == tokenizerName(TokenizerKind::Character) &&
                             !config.clean && config.test_path.empty() &&
                             config.test_text.empty() && config.encoder_path.empty() &&
                             config.vocabulary.empty();
  return config.kind == "classes" && !as_characters;
}

LabelColumn labelColumn(const TaskConfig& config) {
  if (config.label_first) return LabelColumn::First;
  return config.kind == "sentiment" ? LabelColumn::Found : LabelColumn::Second;
}

}  // namespace tfm::data
