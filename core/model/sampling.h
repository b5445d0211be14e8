// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace tfm {

/// How the next token is chosen. Temperature 0 takes the most probable one (greedy decoding);
/// otherwise logits are divided by the temperature, then only the `top_k` most probable tokens are
/// kept (0: all), then the fewest of them whose probabilities sum to `top_p` (Holtzman et al. 2020;
/// 1: all).
struct SamplingOptions {
  double temperature = 0.0;
  std::int64_t top_k = 0;
  double top_p = 1.0;
  std::int64_t max_tokens = 64;
  std::uint64_t seed = 0;
  /// Keep the logits with the answer, to show the alternatives to each token.
  bool keep_logits = false;
};

/// The tokens that end an answer.
class EndTokens {
 public:
  /// -1: none.
  EndTokens(std::int32_t token) : tokens_{token} {}
  EndTokens(std::vector<std::int32_t> tokens) : tokens_(std::move(tokens)) {}

  bool contains(std::int32_t token) const {
    return std::find(tokens_.begin(), tokens_.end(), token) != tokens_.end();
  }

 private:
  std::vector<std::int32_t> tokens_;
};

/// Throws Error naming the option, its value and what is allowed.
void validate(const SamplingOptions& options);

/// A chosen token and its probability at temperature 1 among all tokens.
struct ChosenToken {
  std::int32_t id = 0;
  float probability = 0.0F;
};

/// The probability with which chooseToken() draws each token. They sum to 1.
std::vector<double> drawProbabilities(std::span<const float> logits,
                                      const SamplingOptions& options);

/// Chooses a token by `draw`, a uniform number in [0, 1).
ChosenToken chooseToken(std::span<const float> logits, const SamplingOptions& options, double draw);

}  // namespace tfm
