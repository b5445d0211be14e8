// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/sentiment_task.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/error.h"
#include "core/data/generated_task.h"
#include "core/data/labelled_corpus.h"
#include "core/data/labelled_task.h"
#include "core/data/sentiment_grammar.h"
#include "core/data/tokenizer/tokenizer.h"

namespace tfm::data {
namespace {

constexpr const char* kNegative = "negative";
constexpr const char* kPositive = "positive";
constexpr std::int64_t kReviewPositions = 32;  // the longest review, and some room for typed text
constexpr std::int32_t kFirstWord = 2;         // the tokens before it are special

/// The special tokens of a word tokenizer, then the grammar's words.
std::unique_ptr<Tokenizer> grammarTokenizer() {
  TokenizerConfig config;
  config.vocabulary = "<pad>\n<unknown>";
  for (const std::string& word : sentimentWords()) config.vocabulary += '\n' + word;
  return makeTokenizer(config, {});
}

class GrammarTask final : public GeneratedTask {
 public:
  explicit GrammarTask(const TaskConfig& config)
      : GeneratedTask(config, TaskForm::Classes, grammarTokenizer(),
                      Vocabulary({kNegative, kPositive}, {}),
                      {.source = kReviewPositions, .target = 1, .input = kReviewPositions}) {}

  /// Of words of the grammar that praise or blame.
  std::optional<Ids> rightAnswer(std::span<const std::int32_t> question) const override {
    Ids words(question.begin(), question.end());
    if (std::ranges::any_of(words, [](std::int32_t id) { return id < kFirstWord; }))
      return std::nullopt;
    for (std::int32_t& word : words) word -= kFirstWord;
    const std::int64_t sum = polarity(words);
    return sum == 0 ? std::nullopt : std::optional(Ids{sum > 0 ? 1 : 0});
  }

 private:
  Draw draw(const Draws& draws) const override {
    Ids source = drawReview(draws);
    for (std::int32_t& word : source) word += kFirstWord;
    // Even the shortest form, "the plot was dull .", has more questions.
    return {.source = std::move(source), .key = {}, .space = kSmallestDivided};
  }

  Ids solve(const Ids& source) const override {
    Ids words = source;
    for (std::int32_t& word : words) word -= kFirstWord;
    return {polarity(words) > 0 ? 1 : 0};
  }
};

/// The label names used by all rows, ignoring case; nullptr if there are none.
const std::array<std::string_view, 2>* codesOf(const std::vector<LabelledText>& rows) {
  const std::set<std::string> labels = labelsOf(rows);
  const auto all = [&](const auto& codes) {
    return std::ranges::all_of(labels, [&](const std::string& label) {
      const std::string lower = asciiLower(label);
      return lower == codes[0] || lower == codes[1];
    });
  };
  const auto found = std::ranges::find_if(kSentimentLabels, all);
  return found == kSentimentLabels.end() ? nullptr : &*found;
}

/// Renames the labels to negative and positive. Each side may use its own labels, since training
/// and test texts often come from different sources.
void nameClasses(LabelledCorpus& corpus) {
  const auto* learned = codesOf(corpus.training);
  const auto* measured = codesOf(corpus.test);
  if (learned == nullptr || measured == nullptr) return;
  const auto name = [](std::vector<LabelledText>& rows, std::string_view negative) {
    for (LabelledText& row : rows)
      row.label = asciiLower(row.label) == negative ? kNegative : kPositive;
  };
  name(corpus.training, learned->front());
  name(corpus.test, measured->front());
}

}  // namespace

std::unique_ptr<Task> makeSentiment(const TaskConfig& config) {
  if (!isLabelled(config)) {
    if (!config.encoder_path.empty())
      throw Error("the built-in reviews cannot be read by an encoder", "task.encoder_path",
                  "Choose a file of reviews, or no encoder.");
    if (!config.test_path.empty() || !config.test_text.empty())
      throw Error("the built-in reviews have their own test reviews", "task.test_path",
                  "Choose a file of training reviews, or no test file.");
    return std::make_unique<GrammarTask>(config);
  }
  LabelledCorpus corpus = readLabelledCorpus(config, labelColumn(config));
  nameClasses(corpus);
  return makeLabelled(config, std::move(corpus));
}

}  // namespace tfm::data
