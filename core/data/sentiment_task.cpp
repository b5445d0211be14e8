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

/// The way in which all of these are labelled, in small or capital letters; nullptr if in none.
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

/// Gives the classes their names. Each side may be labelled in its own way: the rows to learn from
/// and those to measure with are often from different places.
void nameClasses(LabelledCorpus& corpus) {
  const auto* learnt = codesOf(corpus.training);
  const auto* measured = codesOf(corpus.test);
  if (learnt == nullptr || measured == nullptr) return;
  const auto name = [](std::vector<LabelledText>& rows, std::string_view negative) {
    for (LabelledText& row : rows)
      row.label = asciiLower(row.label) == negative ? kNegative : kPositive;
  };
  name(corpus.training, learnt->front());
  name(corpus.test, measured->front());
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
  nameClasses(corpus);
  return makeLabelled(config, std::move(corpus));
}

}  // namespace tfm::data
