// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "core/model/generator.h"
#include "core/model/submodel.h"

namespace tfm::matformer {

/// An answer and the statistics of its drafts.
struct DraftedAnswer {
  Answer answer;
  std::int64_t proposed = 0;      ///< tokens of the draft
  std::int64_t accepted = 0;      ///< of these, tokens that the whole model chose too
  std::int64_t draft_passes = 0;  ///< one per proposed token
  std::int64_t whole_passes = 0;  ///< each verifies a draft and adds a token
};

/// Speculative decoding (Leviathan, Kalman and Matias 2023) with a submodel as the draft
/// (MatFormer: Devvrit et al. 2023, section 4.2): the draft proposes tokens; the whole model reads
/// them in one pass, accepts those it would have chosen and adds the next one. Decoding is greedy,
/// so the answer is that of the whole model alone, unless two tokens are so close that rounding,
/// which depends on the number of positions in a pass, decides.
class SpeculativeDecoder {
 public:
  /// Arguments as for Generator. Throws Error if `draft` is not a submodel of the model.
  SpeculativeDecoder(const ModelConfig& config, std::span<const float> parameters,
                     const Backend<float>& backend, std::int64_t step, const Submodel& draft);

  /// Ends like Generator::generate(). `draft_tokens`: proposed at once, at least 1; fewer at the
  /// end of the window, as a sliding window cannot be verified in one pass.
  DraftedAnswer write(const Prompt& prompt, const EndTokens& ends, std::int64_t max_tokens,
                      std::int64_t draft_tokens) const;

 private:
  GenerativeModel whole_, draft_;
};

}  // namespace tfm::matformer
