// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/model/decoder_run.h"
#include "core/model/sampling.h"

namespace tfm {

struct BeamOptions {
  std::int64_t beams = 4;       ///< answers kept at a time
  double length_penalty = 0.6;  ///< alpha of lengthPenalty(); 0: none
  std::int64_t max_tokens = 64;
};

/// Throws Error naming the option, its value and what is allowed.
void validate(const BeamOptions& options);

/// ((5 + length) / 6)^alpha, by which log-probabilities are divided so that long answers can win
/// (lp of Wu et al. 2016, equation 14).
double lengthPenalty(std::int64_t length, double alpha);

/// One of the best answers to a prompt.
struct Beam {
  std::vector<std::int32_t> tokens;  ///< including the end token, if any
  std::vector<float> probabilities;  ///< of each token, given by the model
  double log_probability = 0.0;      ///< natural logarithm, of all tokens
  double score = 0.0;                ///< log_probability / lengthPenalty(number of tokens)
  bool ended = false;                ///< the end token came before the limit
};

/// Called after each round with the beams of each prompt so far; returns false to stop.
using BeamProgress = std::function<bool(std::span<const std::vector<Beam>>)>;

/// For each prompt, up to options.beams answers, the best first. In each round, every answer that
/// has not ended is continued by every token, and the answers with the highest scores are kept;
/// those that have ended keep their place only as long as they are among them. Ends when all have
/// ended. With one beam, this is greedy decoding; with more beams than there are answers,
/// exhaustive search. Of equal scores, that of the better answer so far, then of the lower token,
/// comes first. Answers end with `end_token` (-1: none) or after options.max_tokens; the other
/// rules are Generator's.
std::vector<std::vector<Beam>> beamSearch(const GenerativeModel& model,
                                          std::span<const Prompt> prompts, const EndTokens& ends,
                                          const BeamOptions& options,
                                          const BeamProgress& progress = {});

}  // namespace tfm
