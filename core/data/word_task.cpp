// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/word_task.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/error.h"
#include "core/data/generated_task.h"

namespace tfm::data {
namespace {

Vocabulary letters(std::int64_t count) {
  std::vector<std::string> characters;
  for (std::int64_t i = 0; i < count; ++i) characters.emplace_back(1, static_cast<char>('a' + i));
  return Vocabulary::withStartAndPad(std::move(characters));
}

class WordTask final : public GeneratedTask {
 public:
  WordTask(const TaskConfig& config, Ids (*answer)(Ids word))
      : GeneratedTask(config, TaskForm::SameLength, letters(config.alphabet_size),
                      letters(config.alphabet_size),
                      {.source = config.max_length,
                       .target = config.max_length,
                       .input = config.max_length - 1}),
        answer_(answer) {}

  std::optional<Ids> rightAnswer(std::span<const std::int32_t> question) const override {
    return answer_(Ids(question.begin(), question.end()));
  }

 private:
  Draw draw(const Draws& draws) const override {
    const std::int64_t letter_count = config().alphabet_size;
    Ids word(static_cast<std::size_t>(1 + draws.shape(0, longestInput())));
    for (std::size_t i = 0; i < word.size(); ++i)
      word[i] = static_cast<std::int32_t>(draws.content(i, letter_count));
    const double space =
        std::pow(static_cast<double>(letter_count), static_cast<double>(word.size()));
    return {.source = std::move(word), .key = {}, .space = space};
  }

  Ids solve(const Ids& source) const override { return answer_(source); }

  Ids (*answer_)(Ids word);
};

}  // namespace

std::unique_ptr<Task> makeRot13(const TaskConfig& config) {
  if (config.alphabet_size != 26)
    throw Error("alphabet_size is " + std::to_string(config.alphabet_size) + "; rot13 needs 26",
                "task.alphabet_size", "Choose 26, or another task such as reverse");
  return std::make_unique<WordTask>(config, [](Ids word) {
    for (std::int32_t& letter : word) letter = (letter + 13) % 26;
    return word;
  });
}

std::unique_ptr<Task> makeCopy(const TaskConfig& config) {
  return std::make_unique<WordTask>(config, [](Ids word) { return word; });
}

std::unique_ptr<Task> makeReverse(const TaskConfig& config) {
  return std::make_unique<WordTask>(config, [](Ids word) {
    std::reverse(word.begin(), word.end());
    return word;
  });
}

std::unique_ptr<Task> makeSort(const TaskConfig& config) {
  return std::make_unique<WordTask>(config, [](Ids word) {
    std::sort(word.begin(), word.end());
    return word;
  });
}

}  // namespace tfm::data
