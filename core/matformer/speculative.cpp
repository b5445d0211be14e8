// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/matformer/speculative.h"

#include <algorithm>
#include <vector>

#include "core/base/check.h"

namespace tfm::matformer {
namespace {

constexpr SamplingOptions kGreedy{};

}  // namespace

SpeculativeDecoder::SpeculativeDecoder(const ModelConfig& config, std::span<const float> parameters,
                                       const Backend<float>& backend, std::int64_t step,
                                       const Submodel& draft)
    : whole_(config, parameters, backend, step), draft_(config, parameters, backend, step, draft) {}

DraftedAnswer SpeculativeDecoder::write(const Prompt& prompt, const EndTokens& ends,
                                        std::int64_t max_tokens, std::int64_t draft_tokens) const {
  check(max_tokens > 0 && draft_tokens > 0, "max_tokens and draft_tokens are positive");
  DraftedAnswer result;
  Answer& answer = result.answer;
  const std::int64_t longest = std::ssize(prompt.target) + max_tokens;
  DecoderRun whole(whole_, {&prompt, 1}, longest), draft(draft_, {&prompt, 1}, longest);
  std::vector<std::int32_t> text = prompt.target;
  while (std::int64_t(answer.tokens.size()) < max_tokens && !answer.ended) {
    const std::int64_t left = max_tokens - std::int64_t(answer.tokens.size());
    const std::int64_t room = whole_.window() - std::int64_t(text.size());
    const std::int64_t most = std::min({draft_tokens, left - 1, room});
    const std::size_t begin = text.size();
    for (std::int64_t i = 0; i < most; ++i) {
      draft.read({&text, 1});
      text.push_back(chooseToken(draft.next(0), kGreedy, 0.0).id);
      ++result.draft_passes;
      if (ends.contains(text.back())) break;
    }
    const std::vector<std::int32_t> proposed(text.begin() + std::ptrdiff_t(begin), text.end());
    result.proposed += std::int64_t(proposed.size());

    whole.read({&text, 1}, std::ssize(proposed) + 1);
    ++result.whole_passes;
    text.resize(begin);
    for (std::size_t i = 0; i <= proposed.size() && !answer.ended; ++i) {
      const ChosenToken token =
          chooseToken(whole.next(0, std::int64_t(proposed.size() - i)), kGreedy, 0.0);
      text.push_back(token.id);
      answer.tokens.push_back(token.id);
      answer.probabilities.push_back(token.probability);
      answer.ended = ends.contains(token.id);
      if (i == proposed.size() || token.id != proposed[i]) break;
      ++result.accepted;
    }
  }
  return result;
}

}  // namespace tfm::matformer
