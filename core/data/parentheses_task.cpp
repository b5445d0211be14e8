// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/parentheses_task.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/data/generated_task.h"

namespace tfm::data {
namespace {

constexpr std::int32_t kOpen = 0;
constexpr std::int32_t kClose = 1;
constexpr std::int32_t kUnbalanced = 0;
constexpr std::int32_t kBalanced = 1;

bool isBalanced(const Ids& text) {
  std::int64_t depth = 0;
  for (const std::int32_t id : text) {
    depth += id == kOpen ? 1 : -1;
    if (depth < 0) return false;
  }
  return depth == 0;
}

/// `opening` and `closing` parentheses in a random order (Fisher-Yates).
Ids shuffled(const Draws& draws, std::uint64_t index, std::size_t opening, std::size_t closing) {
  Ids text(opening, kOpen);
  text.resize(opening + closing, kClose);
  for (std::size_t i = text.size() - 1; i > 0; --i)
    std::swap(
        text[i],
        text[static_cast<std::size_t>(draws.content(index + i, static_cast<std::int64_t>(i) + 1))]);
  return text;
}

/// Uniform among the balanced strings. Cycle lemma: exactly one rotation of n+1 opening and n
/// closing parentheses keeps a positive depth; without its first parenthesis it is balanced.
Ids balanced(const Draws& draws, std::uint64_t index, std::size_t pairs) {
  Ids text = shuffled(draws, index, pairs + 1, pairs);
  std::int64_t depth = 0;
  std::int64_t lowest = 0;
  std::size_t first = 0;  // after the last minimum of the depth
  for (std::size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == kOpen ? 1 : -1;
    if (depth <= lowest) {
      lowest = depth;
      first = i + 1;
    }
  }
  std::rotate(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(first), text.end());
  text.erase(text.begin());
  return text;
}

/// The number of balanced strings (Catalan number).
double catalan(std::size_t pairs) {
  const auto n = static_cast<double>(pairs);
  return std::exp(std::lgamma(2 * n + 1) - std::lgamma(n + 1) - std::lgamma(n + 2));
}

class ParenthesesTask final : public GeneratedTask {
 public:
  explicit ParenthesesTask(const TaskConfig& config)
      : GeneratedTask(config, TaskForm::Classes, Vocabulary({"(", ")", "<pad>"}, {.pad = 2}),
                      Vocabulary({"unbalanced", "balanced"}, {}),
                      {.source = config.max_length, .target = 1, .input = config.max_length}) {}

  std::optional<Ids> rightAnswer(std::span<const std::int32_t> question) const override {
    return solve(Ids(question.begin(), question.end()));
  }

 private:
  Draw draw(const Draws& draws) const override {
    const auto pairs = static_cast<std::size_t>(1 + draws.shape(0, maxSourceLength() / 2));
    Ids text;
    switch (draws.shape(1, 4)) {
      case 0:
        text = balanced(draws, 0, pairs);
        turnOne(draws, text);
        break;
      case 1:
        text = wrongOrder(draws, pairs);
        break;
      default:
        text = balanced(draws, 0, pairs);
        break;
    }
    return {.source = std::move(text), .key = {}, .space = catalan(pairs)};
  }

  Ids solve(const Ids& source) const override {
    return {isBalanced(source) ? kBalanced : kUnbalanced};
  }

  static void turnOne(const Draws& draws, Ids& text) {
    const std::uint64_t index = 2 * text.size();
    const auto place = draws.content(index, static_cast<std::int64_t>(text.size()));
    std::int32_t& turned = text[static_cast<std::size_t>(place)];
    turned = turned == kOpen ? kClose : kOpen;
  }

  static Ids wrongOrder(const Draws& draws, std::size_t pairs) {
    constexpr std::size_t kTries = 64;  // one pair needs most: half of its shuffles are balanced
    for (std::size_t i = 0; i < kTries; ++i) {
      Ids text = shuffled(draws, 2 * i * pairs, pairs, pairs);
      if (!isBalanced(text)) return text;
    }
    Ids text(pairs, kClose);
    text.resize(2 * pairs, kOpen);
    return text;
  }
};

}  // namespace

std::unique_ptr<Task> makeParentheses(const TaskConfig& config) {
  return std::make_unique<ParenthesesTask>(config);
}

}  // namespace tfm::data
