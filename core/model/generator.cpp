// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/generator.h"

#include <algorithm>

#include "core/tensor/random.h"
#include "core/tensor/random_streams.h"

namespace tfm {
namespace {

constexpr std::size_t kMaxLogits = std::size_t{1} << 24;  // 64 MiB of an answer

/// Appends the logits of the next token, dropping the oldest ones beyond the limit.
void keep(std::span<const float> logits, Answer& answer) {
  answer.logits.push_back(std::make_shared<const std::vector<float>>(logits.begin(), logits.end()));
  const std::size_t most = std::max<std::size_t>(1, kMaxLogits / logits.size());
  if (answer.logits.size() > most) answer.logits[answer.logits.size() - most - 1].reset();
}

}  // namespace

Generator::Generator(const ModelConfig& config, std::span<const float> parameters,
                     const Backend<float>& backend, std::int64_t step)
    : model_(config, parameters, backend, step) {}

std::vector<Answer> Generator::generate(std::span<const Prompt> prompts, const EndTokens& ends,
                                        const SamplingOptions& options,
                                        const Progress& progress) const {
  validate(options);
  std::vector<Answer> answers(prompts.size());
  if (prompts.empty()) return answers;
  std::vector<std::vector<std::int32_t>> written;
  std::int64_t longest = 0;
  for (const Prompt& p : prompts) {
    written.push_back(p.target);
    written.back().insert(written.back().end(), p.written.begin(), p.written.end());
    longest = std::max(longest, std::ssize(written.back()) + options.max_tokens);
  }
  DecoderRun run(model_, prompts, longest);
  for (std::int64_t round = 0; round < options.max_tokens; ++round) {
    run.read(written);
    bool any = false;
    for (std::size_t i = 0; i < prompts.size(); ++i) {
      Answer& answer = answers[i];
      if (answer.ended) continue;
      const Random random(options.seed, streams::kSampling.first, std::uint64_t(i));
      const auto place = std::uint64_t(prompts[i].written.size()) + std::uint64_t(round);
      const ChosenToken token = chooseToken(run.next(i), options, random.uniform(place));
      if (options.keep_logits) keep(run.next(i), answer);
      answer.tokens.push_back(token.id);
      answer.probabilities.push_back(token.probability);
      answer.ended = ends.contains(token.id);
      written[i].push_back(token.id);
      any = any || !answer.ended;
    }
    const bool wanted = !progress || progress(answers);
    if (!any || !wanted) break;
  }
  if (!options.keep_logits) return answers;
  run.read(written);
  for (std::size_t i = 0; i < prompts.size(); ++i)
    if (!answers[i].ended) keep(run.next(i), answers[i]);
  return answers;
}

}  // namespace tfm
