// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/facts_task.h"

#include <array>
#include <iterator>
#include <string>
#include <vector>

#include "core/data/permutation.h"
#include "core/data/task.h"
#include "core/data/tokenizer/tokenizer.h"
#include "core/tensor/random.h"
#include "core/tensor/random_streams.h"

namespace tfm::data {
namespace {

constexpr std::array kPeople{"anna", "ben",  "clara", "david", "emma", "felix", "greta",
                             "hugo", "ida",  "jonas", "kim",   "leo",  "mia",   "noah",
                             "olga", "paul", "quinn", "rosa",  "sam",  "tina",  "umar",
                             "vera", "will", "xenia", "yuki",  "zoe"};
constexpr std::array kThings{"apple", "ball", "cake", "drum", "flag", "hat",  "jar",  "kite",
                             "lamp",  "map",  "nut",  "pen",  "ring", "shoe", "tent", "vase"};
constexpr const char* kVerb = "gave";
constexpr std::int32_t kVerbId = 2;  // the tokens before it are special
constexpr std::int32_t kFirstPerson = kVerbId + 1;
constexpr std::int64_t kQuestionWords = 3;  // of a question
constexpr std::uint64_t kTableSeed = 0;     // of the table
constexpr std::uint64_t kRow = 64;          // more than there are people
static_assert(kPeople.size() < kRow);

std::unique_ptr<Tokenizer> wordsOfFacts(std::int64_t people) {
  TokenizerConfig config;
  config.vocabulary = std::string("<pad>\n<unknown>\n") + kVerb;
  for (std::size_t i = 0; i < static_cast<std::size_t>(people); ++i)
    config.vocabulary += std::string("\n") + kPeople.at(i);
  return makeTokenizer(config, {});
}

class FactsTask final : public Task {
 public:
  explicit FactsTask(const TaskConfig& config)
      : Task(config, TaskForm::Classes, wordsOfFacts(config.alphabet_size),
             Vocabulary({kThings.begin(), kThings.end()}, {}),
             {.source = kQuestionWords, .target = 1, .input = kQuestionWords}) {
    const auto people = static_cast<std::uint64_t>(config.alphabet_size);
    const Random things(kTableSeed, streams::kFacts.first);
    std::vector<Example> all;
    for (std::uint64_t giver = 0; giver < people; ++giver)
      for (std::uint64_t taker = 0; taker < people; ++taker) {
        if (giver == taker) continue;
        const std::int64_t thing =
            things.integer(giver * kRow + taker, static_cast<std::int64_t>(kThings.size()));
        all.push_back(
            {{person(giver), kVerbId, person(taker)}, {static_cast<std::int32_t>(thing)}});
      }
    // Shuffled, so that the first few are representative.
    const Permutation mixed(std::ssize(all), kTableSeed, 1, streams::kFacts.first);
    for (std::int64_t i = 0; i < std::ssize(all); ++i)
      facts_.push_back(all[static_cast<std::size_t>(mixed(i))]);
  }

  Example example(Split split, std::uint64_t seed, std::uint64_t index) const override {
    return facts_[static_cast<std::size_t>(storedNumber(split, std::ssize(facts_), seed, index))];
  }
  std::int64_t exampleCount(Split) const override { return std::ssize(facts_); }
  bool hasHeldOutExamples() const override { return false; }
  std::optional<Ids> rightAnswer(std::span<const std::int32_t> question) const override {
    return onlyAnswer(facts_, question);
  }

 private:
  static std::int32_t person(std::uint64_t number) {
    return kFirstPerson + static_cast<std::int32_t>(number);
  }

  std::vector<Example> facts_;
};

}  // namespace

std::unique_ptr<Task> makeFacts(const TaskConfig& config) {
  return std::make_unique<FactsTask>(config);
}

}  // namespace tfm::data
