// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/addition_task.h"

#include <algorithm>
#include <string>

#include "core/data/generated_task.h"

namespace tfm::data {
namespace {

constexpr std::int32_t kPlus = 10;  // after the digits, which are their own ids

Vocabulary digitsAndPlus() {
  std::vector<std::string> characters;
  for (char digit = '0'; digit <= '9'; ++digit) characters.emplace_back(1, digit);
  characters.emplace_back("+");
  return Vocabulary::withStartAndPad(std::move(characters));
}

std::int64_t powerOfTen(std::int64_t exponent) {
  return exponent == 0 ? 1 : 10 * powerOfTen(exponent - 1);
}

/// Appends a number, zero-padded to `width` digits.
void appendNumber(std::int64_t number, std::int64_t width, Ids& ids) {
  std::string text = std::to_string(number);
  const auto missing = width - static_cast<std::int64_t>(text.size());
  if (missing > 0) text.insert(0, static_cast<std::size_t>(missing), '0');
  for (const char digit : text) ids.push_back(digit - '0');
}

std::int64_t valueOf(Ids::const_iterator first, Ids::const_iterator last) {
  std::int64_t value = 0;
  for (; first != last; ++first) value = 10 * value + *first;
  return value;
}

class AdditionTask final : public GeneratedTask {
 public:
  explicit AdditionTask(const TaskConfig& config)
      : GeneratedTask(config, TaskForm::Sequence, digitsAndPlus(), digitsAndPlus(),
                      {.source = 2 * config.digits + 1,
                       .target = config.digits + 2,  // the carry and the final pad
                       .input = 2 * config.digits + 1}) {}

  std::optional<Ids> rightAnswer(std::span<const std::int32_t> question) const override {
    const Ids source(question.begin(), question.end());
    const auto plus = std::find(source.begin(), source.end(), kPlus);
    const bool sum = plus != source.begin() && plus != source.end() && plus + 1 != source.end() &&
                     std::find(plus + 1, source.end(), kPlus) == source.end();
    return sum ? std::optional(solve(source)) : std::nullopt;
  }

 private:
  Draw draw(const Draws& draws) const override {
    const std::int64_t first = summand(draws, 0);
    const std::int64_t second = summand(draws, 2);
    Draw result;
    write(first, second, result.source);
    write(std::min(first, second), std::max(first, second), result.key);
    result.space = static_cast<double>(powerOfTen(2 * config().digits));
    return result;
  }

  Ids solve(const Ids& source) const override {
    const auto plus = std::find(source.begin(), source.end(), kPlus);
    const std::int64_t sum = valueOf(source.begin(), plus) + valueOf(plus + 1, source.end());
    Ids target;
    appendNumber(sum, config().fixed_digits ? config().digits + 1 : 0, target);
    return target;
  }

  std::int64_t summand(const Draws& draws, std::uint64_t index) const {
    const std::int64_t digit_count = 1 + draws.content(index, config().digits);
    const std::int64_t least = digit_count == 1 ? 0 : powerOfTen(digit_count - 1);
    return least + draws.content(index + 1, powerOfTen(digit_count) - least);
  }

  void write(std::int64_t first, std::int64_t second, Ids& ids) const {
    const std::int64_t width = config().fixed_digits ? config().digits : 0;
    appendNumber(first, width, ids);
    ids.push_back(kPlus);
    appendNumber(second, width, ids);
  }
};

}  // namespace

std::unique_ptr<Task> makeAddition(const TaskConfig& config) {
  return std::make_unique<AdditionTask>(config);
}

}  // namespace tfm::data
