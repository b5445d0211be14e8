// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "core/model/generator.h"
#include "core/model/submodel.h"

namespace tfm::matformer {

/// An answer and what it took.
struct DraftedAnswer {
  Answer answer;
  std::int64_t proposed = 0;      ///< tokens of the draft
  std::int64_t accepted = 0;      ///< of these, tokens that the whole model would have written
  std::int64_t draft_passes = 0;  ///< one for each proposed token
  std::int64_t whole_passes = 0;  ///< each checks a draft and adds a token of its own
};

/// Speculative decoding (Leviathan, Kalman and Matias 2023) with a submodel as the draft
/// (MatFormer: Devvrit et al., section 4.2): it proposes some tokens, the whole model reads them in
/// one pass, keeps those that it would have written itself, and writes the next one. Always takes
/// the most probable token, so that the answer is that of the whole model alone, except where two
/// tokens are so close that rounding decides, which differs with the number of positions in a pass.
class SpeculativeWriter {
 public:
  /// Arguments as for Generator. Throws Error for a draft that is no submodel of the model.
  SpeculativeWriter(const ModelConfig& config, std::span<const float> parameters,
                    const Backend<float>& backend, std::int64_t step, const Submodel& draft);

  /// Ends as Generator::generate does. `draft_tokens`: proposed at once, at least 1; fewer at the
  /// end of the window, as tokens that push others out of it cannot be checked together.
  DraftedAnswer write(const Prompt& prompt, std::int32_t end_token, std::int64_t most_tokens,
                      std::int64_t draft_tokens) const;

 private:
  WritingModel whole_, draft_;
};

}  // namespace tfm::matformer
