// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/sampling.h"

#include <algorithm>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

#include "core/base/check.h"
#include "core/base/error.h"
#include "core/tensor/softmax.h"

namespace tfm {
namespace {

/// The tokens that may be drawn, by descending probability, then by id.
std::vector<std::size_t> candidates(const std::vector<double>& p, const SamplingOptions& options) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return p[a] > p[b]; });
  if (options.top_k > 0) order.resize(std::min(order.size(), std::size_t(options.top_k)));
  double kept = 0.0;
  for (const std::size_t i : order) kept += p[i];
  double sum = 0.0;
  for (std::size_t n = 0; n < order.size(); ++n) {
    sum += p[order[n]];
    if (sum >= options.top_p * kept) {
      order.resize(n + 1);
      break;
    }
  }
  return order;
}

/// A distribution and the tokens that may be drawn from it, most probable first.
struct Draws {
  std::vector<double> probabilities;
  std::vector<std::size_t> allowed;
  double sum = 0.0;  ///< of the allowed tokens' probabilities
};

/// Needs a temperature above 0.
Draws drawsFrom(std::span<const float> logits, const SamplingOptions& options) {
  Draws draws{softmax(logits, options.temperature), {}};
  draws.allowed = candidates(draws.probabilities, options);
  for (const std::size_t i : draws.allowed) draws.sum += draws.probabilities[i];
  return draws;
}

std::size_t mostProbable(std::span<const float> logits) {
  return std::size_t(std::max_element(logits.begin(), logits.end()) - logits.begin());
}

}  // namespace

void validate(const SamplingOptions& o) {
  const auto refuse = [](const char* name, auto value, const std::string& allowed) {
    std::ostringstream problem;
    problem << name << " is " << value;
    throw Error(problem.str(), "sampling", "Allowed: " + allowed);
  };
  if (!(o.temperature >= 0.0 && o.temperature <= 100.0))
    refuse("temperature", o.temperature, "0 (most probable token) to 100");
  if (o.top_k < 0) refuse("top_k", o.top_k, "0 (all tokens) or more");
  if (!(o.top_p > 0.0 && o.top_p <= 1.0))
    refuse("top_p", o.top_p, "above 0 and up to 1 (all tokens)");
  if (o.max_tokens < 1) refuse("max_tokens", o.max_tokens, "1 or more");
}

std::vector<double> drawProbabilities(std::span<const float> logits,
                                      const SamplingOptions& options) {
  check(!logits.empty(), "a token is drawn from at least one");
  std::vector<double> result(logits.size(), 0.0);
  if (options.temperature == 0.0) {
    result[mostProbable(logits)] = 1.0;
    return result;
  }
  const Draws draws = drawsFrom(logits, options);
  for (const std::size_t i : draws.allowed) result[i] = draws.probabilities[i] / draws.sum;
  return result;
}

ChosenToken chooseToken(std::span<const float> logits, const SamplingOptions& options,
                        double draw) {
  check(!logits.empty(), "a token is chosen from at least one");
  const std::vector<double> plain = softmax(logits, 1.0);
  std::size_t chosen = 0;
  if (options.temperature == 0.0) {
    chosen = mostProbable(logits);
  } else {
    const Draws draws = drawsFrom(logits, options);
    double left = draw * draws.sum;
    chosen = draws.allowed.back();
    for (const std::size_t i : draws.allowed) {
      left -= draws.probabilities[i];
      if (left < 0.0) {
        chosen = i;
        break;
      }
    }
  }
  return {std::int32_t(chosen), float(plain[chosen])};
}

}  // namespace tfm
