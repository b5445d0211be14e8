// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/sentiment_task.h"

#include <array>
#include <string>
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
constexpr std::int64_t kReviewPositions = 32;  // the longest review, and a little for what is typed
constexpr std::int32_t kFirstWord = 2;         // the tokens before it are special

/// The grammar's words after the special tokens of a word tokenizer.
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

 private:
  Draw draw(const Draws& draws) const override {
    Ids source = drawReview(draws);
    for (std::int32_t& word : source) word += kFirstWord;
    // Even the shortest form, "the plot was dull .", has more than this.
    return {.source = std::move(source), .key = {}, .space = kSmallestDivided};
  }

  Ids solve(const Ids& source) const override {
    Ids words = source;
    for (std::int32_t& word : words) word -= kFirstWord;
    return {polarity(words) > 0 ? 1 : 0};
  }
};

/// The usual codes of the two classes, by their names.
void nameClasses(std::vector<LabelledText>& rows) {
  constexpr std::array<std::array<const char*, 2>, 4> kNames{
      {{"0", kNegative}, {"1", kPositive}, {"neg", kNegative}, {"pos", kPositive}}};
  for (LabelledText& row : rows)
    for (const auto& [code, name] : kNames)
      if (row.label == code) {
        row.label = name;
        break;
      }
}

/// Whether all labels are among two codes.
bool areCodes(const LabelledCorpus& corpus, const char* first, const char* second) {
  for (const auto* side : {&corpus.training, &corpus.test})
    for (const LabelledText& row : *side)
      if (row.label != first && row.label != second) return false;
  return true;
}

}  // namespace

std::unique_ptr<Task> makeSentiment(const TaskConfig& config) {
  if (!isLabelled(config)) {
    if (!config.encoder_path.empty())
      throw Error("the built-in reviews are read word by word, not by an encoder",
                  "task.encoder_path", "Give a file of reviews, or no encoder.");
    if (!config.test_path.empty() || !config.test_text.empty())
      throw Error("the built-in reviews are measured on reviews of their own", "task.test_path",
                  "Give a file of reviews to learn from, or none to measure on.");
    return std::make_unique<GrammarTask>(config);
  }
  LabelledCorpus corpus = readLabelledCorpus(config, labelColumn(config));
  if (areCodes(corpus, "0", "1") || areCodes(corpus, "neg", "pos")) {
    nameClasses(corpus.training);
    nameClasses(corpus.test);
  }
  return makeLabelled(config, std::move(corpus));
}

}  // namespace tfm::data
