// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/masked_task.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/data/batches.h"
#include "core/data/cleaning.h"
#include "core/data/corpus.h"
#include "core/data/permutation.h"
#include "core/data/split.h"
#include "core/data/task.h"
#include "core/data/task_tokenizer.h"
#include "core/data/tokenizer/special_tokens.h"
#include "core/tensor/random.h"
#include "core/tensor/random_streams.h"

namespace tfm::data {
namespace {

constexpr double kReplaced = 0.8;   // of the hidden tokens, by kMaskToken
constexpr double kExchanged = 0.9;  // up to here by a random token; the others stay

class MaskedTask final : public Task {
 public:
  MaskedTask(const TaskConfig& config, std::unique_ptr<const Tokenizer> tokenizer,
             Vocabulary vocabulary, const std::vector<std::string>& texts)
      : Task(
            config, TaskForm::Masked, std::move(tokenizer), std::move(vocabulary),
            {.source = config.max_length, .target = config.max_length, .input = config.max_length}),
        ordinary_(ordinaryIds(sourceVocabulary())),
        is_ordinary_(static_cast<std::size_t>(sourceVocabulary().size())) {
    for (const std::int32_t id : ordinary_) is_ordinary_[static_cast<std::size_t>(id)] = true;
    for (const std::string& text : texts) addWindows(tokensOf(text));
    divide();
  }

  Example example(Split split, std::uint64_t seed, std::uint64_t index) const override {
    const std::int64_t number = storedNumber(split, exampleCount(split), seed, index);
    const Ids& text = of(split)[static_cast<std::size_t>(number)];
    if (split == Split::Evaluation) return heldOut(text, seed, number);
    return hidden(text, Random(seed, streams::kHidden.first, index), false);
  }

  std::int64_t exampleCount(Split split) const override { return std::ssize(of(split)); }

  std::optional<Example> learned(std::span<const std::int32_t> question) const override {
    const Ids text(question.begin(), question.end());
    if (std::ranges::any_of(text, [this](std::int32_t id) { return hides(id); }))
      return filledIn(text);
    if (std::ranges::none_of(text, [this](std::int32_t id) { return isOrdinary(id); }))
      return std::nullopt;
    // As it is hidden in evaluation; a text that is not held out as the first one there would be.
    const auto held_out = std::ranges::find(evaluation_, text);
    const auto number =
        held_out == evaluation_.end() ? std::ptrdiff_t(0) : held_out - evaluation_.begin();
    return heldOut(text, kEvaluationSeed, number);
  }
  std::int64_t leftOut() const override { return left_out_; }

 private:
  const std::vector<Ids>& of(Split split) const {
    return split == Split::Training ? training_ : evaluation_;
  }

  Example heldOut(const Ids& text, std::uint64_t seed, std::int64_t number) const {
    return hidden(text,
                  Random(seed, streams::kHeldOutHidden.first, static_cast<std::uint64_t>(number)),
                  true);
  }

  /// A text with hidden tokens, as all texts of the task that may be meant have them.
  std::optional<Example> filledIn(const Ids& text) const {
    std::optional<Example> found;
    for (const std::vector<Ids>* side : {&training_, &evaluation_})
      for (const Ids& whole : *side) {
        const auto fits = [this](std::int32_t asked, std::int32_t id) {
          return asked == id || hides(asked);
        };
        if (!std::ranges::equal(text, whole, fits)) continue;
        Example example{text, whole};
        for (std::size_t i = 0; i < text.size(); ++i)
          if (!hides(text[i])) example.target[i] = targetVocabulary().pad();
        if (found && *found != example) return std::nullopt;
        found = std::move(example);
      }
    return found;
  }

  bool isOrdinary(std::int32_t id) const { return is_ordinary_[static_cast<std::size_t>(id)]; }

  void addWindows(const Ids& tokens) {
    for (std::int64_t begin = 0; begin < std::ssize(tokens); begin += maxSourceLength()) {
      const std::int64_t end =
          std::min<std::int64_t>(begin + maxSourceLength(), std::ssize(tokens));
      Ids window(tokens.begin() + begin, tokens.begin() + end);
      if (std::ranges::any_of(window, [this](std::int32_t id) { return isOrdinary(id); }))
        training_.push_back(std::move(window));
      else
        ++left_out_;
    }
  }

  void divide() {
    std::set<std::uint64_t> hashes;
    for (const Ids& text : training_) hashes.insert(stableHash(text));
    if (hashes.size() < 2)
      throw Error("there are fewer than two different examples of up to " +
                      std::to_string(maxSourceLength()) + " tokens",
                  corpusName(config()), "Choose a longer text or a smaller max_length.");
    const std::uint64_t first_trained = firstTrainedHash(hashes, config().held_out);
    const auto held_out =
        std::stable_partition(training_.begin(), training_.end(),
                              [&](const Ids& text) { return stableHash(text) >= first_trained; });
    evaluation_.assign(std::make_move_iterator(held_out), std::make_move_iterator(training_.end()));
    training_.erase(held_out, training_.end());
  }

  /// `always`: every hidden token is replaced by kMaskToken.
  Example hidden(const Ids& text, const Random& random, bool always) const {
    constexpr std::uint64_t kHow = 1 << 20, kOther = 2 << 20;  // more than a text has tokens
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < text.size(); ++i)
      if (isOrdinary(text[i])) places.push_back(i);
    const auto count = std::max<std::int64_t>(
        1, std::llround(config().mask_rate * static_cast<double>(places.size())));
    Example example{text, Ids(text.size(), targetVocabulary().pad())};
    for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(count); ++i) {
      // The first `count` of a random order (Fisher-Yates).
      const std::int64_t left = std::ssize(places) - static_cast<std::int64_t>(i);
      std::swap(places[i], places[i + static_cast<std::uint64_t>(random.integer(i, left))]);
      const std::size_t place = places[i];
      example.target[place] = text[place];
      const double how = always ? 0.0 : random.uniform(kHow + i);
      if (how < kReplaced)
        example.source[place] = sourceVocabulary().find(kMaskToken);
      else if (how < kExchanged)
        example.source[place] =
            ordinary_[static_cast<std::size_t>(random.integer(kOther + i, std::ssize(ordinary_)))];
    }
    return example;
  }

  Ids ordinary_;
  std::vector<bool> is_ordinary_;  // by id
  std::vector<Ids> training_;
  std::vector<Ids> evaluation_;
  std::int64_t left_out_ = 0;
};

}  // namespace

std::unique_ptr<Task> makeMasked(const TaskConfig& config) {
  std::string text = readCorpus(config).text;
  std::vector<std::string> texts =
      config.by_line ? linesOf(text) : std::vector<std::string>{std::move(text)};
  if (config.clean)
    for (std::string& text : texts) text = cleanText(text);
  std::unique_ptr<Tokenizer> tokenizer = taskTokenizer(
      config, [&texts] { return texts; }, true);
  Vocabulary vocabulary = tokenizer->vocabulary();
  if (vocabulary.find(kMaskToken) < 0)
    throw Error("the vocabulary has no token " + std::string(kMaskToken), "task.vocabulary_path",
                "Add a line with it and nothing else, or let the vocabulary be learned.");
  return std::make_unique<MaskedTask>(config, std::move(tokenizer), std::move(vocabulary), texts);
}

}  // namespace tfm::data
