// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/mutator.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "core/tensor/random.h"

namespace tfm::fuzz {
namespace {

constexpr std::uint64_t kSeed = 20240229;
constexpr std::size_t kMaxInput = std::size_t{1} << 14;
constexpr std::int64_t kMaxChanges = 6;

constexpr std::array<std::string_view, 16> kNumbers{"0",
                                                    "1",
                                                    "-1",
                                                    "7",
                                                    "8",
                                                    "255",
                                                    "65536",
                                                    "2147483648",
                                                    "4294967295",
                                                    "4611686018427387905",
                                                    "9223372036854775807",
                                                    "9223372036854775808",
                                                    "18446744073709551616",
                                                    "1.5",
                                                    "1e999",
                                                    "-0"};

constexpr std::array<std::string_view, 22> kTokens{
    "\"",           "{",    "}",    "[",        "]",  ",",    ":",  "\\u0000", "\\",
    "\\ud800",      "null", "F32",  "\"BOOL\"", "\t", "\r\n", "\n", "\x80",    "\xC0\xAF",
    "\xED\xA0\x80", "\xF0", "'|O'", "True"};

/// Draws from the stream of one iteration.
class Dice {
 public:
  explicit Dice(std::uint64_t iteration) : random_(kSeed, 0, iteration) {}

  /// A number in [0, bound), 0 for a bound of 0.
  std::size_t below(std::size_t bound) {
    if (bound == 0) return 0;
    return static_cast<std::size_t>(random_.integer(next_++, static_cast<std::int64_t>(bound)));
  }
  template <class List>
  const auto& oneOf(const List& list) {
    return list[below(list.size())];
  }

 private:
  Random random_;
  std::uint64_t next_ = 0;
};

using Mutation = void (*)(std::string& input, const std::vector<std::string>& corpus, Dice& dice);

void flipBit(std::string& input, const std::vector<std::string>&, Dice& dice) {
  if (input.empty()) return;
  const std::size_t at = dice.below(input.size());
  input[at] = static_cast<char>(input[at] ^ 1 << dice.below(8));
}

void setByte(std::string& input, const std::vector<std::string>&, Dice& dice) {
  if (!input.empty()) input[dice.below(input.size())] = static_cast<char>(dice.below(256));
}

void insertBytes(std::string& input, const std::vector<std::string>&, Dice& dice) {
  const std::size_t at = dice.below(input.size() + 1);
  input.insert(at, 1 + dice.below(9), static_cast<char>(dice.below(256)));
}

void removeRange(std::string& input, const std::vector<std::string>&, Dice& dice) {
  const std::size_t at = dice.below(input.size() + 1);
  input.erase(at, 1 + dice.below(16));
}

void repeatRange(std::string& input, const std::vector<std::string>&, Dice& dice) {
  const std::size_t at = dice.below(input.size() + 1);
  const std::string range = input.substr(at, 1 + dice.below(64));
  for (std::size_t count = dice.below(8); count > 0; --count) input.insert(at, range);
}

void truncate(std::string& input, const std::vector<std::string>&, Dice& dice) {
  input.resize(dice.below(input.size() + 1));
}

void splice(std::string& input, const std::vector<std::string>& corpus, Dice& dice) {
  const std::string& other = dice.oneOf(corpus);
  input.resize(dice.below(input.size() + 1));
  input += other.substr(dice.below(other.size() + 1));
}

void insertToken(std::string& input, const std::vector<std::string>&, Dice& dice) {
  input.insert(dice.below(input.size() + 1), dice.oneOf(kTokens));
}

void overwriteWithToken(std::string& input, const std::vector<std::string>&, Dice& dice) {
  const std::string_view token = dice.oneOf(kTokens);
  const std::size_t at = dice.below(input.size() + 1);
  input.replace(at, std::min(token.size(), input.size() - at), token);
}

void exchangeNumber(std::string& input, const std::vector<std::string>&, Dice& dice) {
  constexpr std::string_view kDigits = "0123456789";
  const std::size_t at = input.find_first_of(kDigits, dice.below(input.size() + 1));
  if (at == input.npos) return;
  const std::size_t end = std::min(input.find_first_not_of(kDigits, at), input.size());
  input.replace(at, end - at, dice.oneOf(kNumbers));
}

constexpr std::array<Mutation, 10> kMutations{
    flipBit,  setByte, insertBytes, removeRange,        repeatRange,
    truncate, splice,  insertToken, overwriteWithToken, exchangeNumber};

}  // namespace

std::string mutated(const std::vector<std::string>& corpus, std::uint64_t iteration) {
  Dice dice(iteration);
  std::string input = dice.oneOf(corpus);
  for (std::size_t changes = 1 + dice.below(kMaxChanges); changes > 0; --changes)
    dice.oneOf(kMutations)(input, corpus, dice);
  input.resize(std::min(input.size(), kMaxInput));
  return input;
}

}  // namespace tfm::fuzz
