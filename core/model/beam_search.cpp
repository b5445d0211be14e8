// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/beam_search.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <sstream>
#include <string>

#include "core/base/error.h"
#include "core/tensor/portable_math.h"
#include "core/tensor/softmax.h"

namespace tfm {
namespace {

constexpr std::int32_t kNoToken = -1;

/// An answer of the next round: one of this round and a token, or one that has ended.
struct Candidate {
  std::size_t parent = 0;
  std::int32_t token = kNoToken;
  double log_probability = 0.0;  // of the token
  double score = 0.0;            // of the whole answer
};

/// The number, or -infinity for what an exploded model computes, which has no order.
double ordered(double number) { return std::isnan(number) ? -INFINITY : number; }

/// The most probable tokens after an answer, with their scores.
void addContinuations(std::span<const float> logits, const Beam& beam, std::size_t parent,
                      const BeamOptions& options, std::vector<Candidate>& candidates) {
  std::vector<std::int32_t> order(logits.size());
  std::iota(order.begin(), order.end(), 0);
  const auto count = std::min(std::ssize(order), std::ptrdiff_t(options.beams));
  const auto logit = [&](std::int32_t id) { return ordered(logits[std::size_t(id)]); };
  std::partial_sort(order.begin(), order.begin() + count, order.end(),
                    [&](std::int32_t a, std::int32_t b) {
                      return logit(a) != logit(b) ? logit(a) > logit(b) : a < b;
                    });
  const std::vector<double> p = softmax(logits);
  const double highest = logit(order.front()),
               log_highest = portable::log(p[std::size_t(order.front())]);
  const double penalty = lengthPenalty(std::ssize(beam.tokens) + 1, options.length_penalty);
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    const std::int32_t token = order[std::size_t(i)];
    const double probability = ordered(logit(token) - highest + log_highest);
    const double score = ordered((beam.log_probability + probability) / penalty);
    candidates.push_back({parent, token, probability, score});
  }
}

Beam continued(const Beam& beam, const Candidate& by, const EndTokens& ends) {
  Beam next = beam;
  if (by.token == kNoToken) return next;
  next.tokens.push_back(by.token);
  next.probabilities.push_back(float(portable::exp(by.log_probability)));
  next.log_probability += by.log_probability;
  next.score = by.score;
  next.ended = ends.contains(by.token);
  return next;
}

}  // namespace

void validate(const BeamOptions& o) {
  const auto refuse = [](const char* name, auto value, const std::string& allowed) {
    std::ostringstream problem;
    problem << name << " is " << value;
    throw Error(problem.str(), "beam search", "Allowed: " + allowed);
  };
  if (o.beams < 1 || o.beams > 1000) refuse("beams", o.beams, "1 (greedy) to 1000");
  if (!(o.length_penalty >= 0.0 && o.length_penalty <= 10.0))
    refuse("length_penalty", o.length_penalty, "0 (none) to 10");
  if (o.max_tokens < 1) refuse("max_tokens", o.max_tokens, "1 or more");
}

double lengthPenalty(std::int64_t length, double alpha) {
  return portable::pow((5.0 + double(length)) / 6.0, alpha);
}

std::vector<std::vector<Beam>> beamSearch(const GenerativeModel& model,
                                          std::span<const Prompt> prompts, const EndTokens& ends,
                                          const BeamOptions& options,
                                          const BeamProgress& progress) {
  validate(options);
  std::vector<std::vector<Beam>> beams(prompts.size(), std::vector<Beam>(1));
  if (prompts.empty()) return beams;
  std::int64_t longest = 0;
  for (const Prompt& p : prompts)
    longest = std::max(longest, std::ssize(p.target) + std::ssize(p.written) + options.max_tokens);
  DecoderRun run(model, prompts, longest, options.beams);
  const auto places = std::size_t(options.beams);
  std::vector<std::vector<std::int32_t>> texts(prompts.size() * places);
  const auto is_open = [](const Beam& beam) { return !beam.ended; };
  for (std::int64_t round = 0; round < options.max_tokens; ++round) {
    for (std::size_t i = 0; i < texts.size(); ++i) {
      const Prompt& prompt = prompts[i / places];
      const std::vector<Beam>& own = beams[i / places];
      texts[i] = prompt.target;
      texts[i].insert(texts[i].end(), prompt.written.begin(), prompt.written.end());
      if (i % places >= own.size()) continue;
      const auto& tokens = own[i % places].tokens;
      texts[i].insert(texts[i].end(), tokens.begin(), tokens.end());
    }
    run.read(texts);
    bool any = false;
    for (std::size_t i = 0; i < prompts.size(); ++i) {
      std::vector<Beam>& own = beams[i];
      if (std::ranges::none_of(own, is_open)) continue;
      std::vector<Candidate> candidates;
      for (std::size_t b = 0; b < own.size(); ++b)
        if (own[b].ended)
          candidates.push_back({b, kNoToken, 0.0, own[b].score});
        else
          addContinuations(run.next(i * places + b), own[b], b, options, candidates);
      std::ranges::stable_sort(candidates, std::greater{}, &Candidate::score);
      candidates.resize(std::min(candidates.size(), places));
      std::vector<Beam> next;
      for (const Candidate& one : candidates) next.push_back(continued(own[one.parent], one, ends));
      own = std::move(next);
      any = any || std::ranges::any_of(own, is_open);
    }
    const bool wanted = !progress || progress(beams);
    if (!any || !wanted) break;
  }
  return beams;
}

}  // namespace tfm
