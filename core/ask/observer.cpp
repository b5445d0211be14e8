// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/observer.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "core/ask/probe_batch.h"
#include "core/ask/what_if.h"
#include "core/backend/registry.h"
#include "core/train/fit_task.h"

namespace tfm::train {
namespace {

constexpr std::int64_t kLongestSample = 64;

/// Whether the model must run before it is known what it changes.
bool takesRuns(const observe::Intervention& what) {
  using Kind = observe::Intervention::Kind;
  return what.kind == Kind::Mean || what.kind == Kind::Patch;
}

}  // namespace

Observer::Observer(std::shared_ptr<const data::TextCodec> codec)
    : codec_(std::move(codec)), backend_(makeBackend<float>()) {}

std::shared_ptr<const ModelState> Observer::changed(const ModelState& state, const Watch& watch,
                                                    Snapshot& snapshot) {
  snapshot.step = state.step;
  snapshot.interventions = watch.interventions;
  if (watch.interventions.empty()) return {std::shared_ptr<void>(), &state};
  try {
    const auto changed = with(watch.interventions, state);
    if (watch.parameters) snapshot.changed = changed;
    return changed;
  } catch (const std::exception& problem) {
    snapshot.problem = problem.what();
    return nullptr;
  }
}

std::shared_ptr<const ModelState> Observer::with(
    const std::vector<observe::Intervention>& interventions, const ModelState& state) {
  if (kept_ && kept_->interventions == interventions && kept_->step == state.step &&
      kept_->config == state.config && kept_->parameters == state.parameters)
    return kept_->changed;
  kept_.reset();
  auto changed = std::make_shared<const ModelState>(
      withInterventions(state, *codec_, interventions, *backend_));
  if (std::ranges::any_of(interventions, takesRuns))
    kept_ = Kept{interventions, state.step, state.config, state.parameters, changed};
  return changed;
}

Snapshot Observer::look(const ModelState& state, const Watch& watch,
                        std::span<const float> gradients) {
  Snapshot snapshot;
  if (const auto seen = changed(state, watch, snapshot)) lookAt(*seen, watch, gradients, snapshot);
  return snapshot;
}

void Observer::lookAt(const ModelState& state, const Watch& watch, std::span<const float> gradients,
                      Snapshot& snapshot) {
  if (watch.norms)
    snapshot.norms = observe::parameterNorms(state.layout, state.parameters, gradients);
  const data::Framing framing = framingFor(state.config, *codec_);
  try {
    if (!watch.samples.empty()) {
      SamplingOptions greedy;
      greedy.keep_logits = watch.logits;
      greedy.max_tokens = std::clamp<std::int64_t>(state.config.target_length, 1, kLongestSample);
      snapshot.samples = answer(state, *codec_, framing, watch.samples, greedy, *backend_);
    }
    if (!watch.question.empty()) {
      readTexts(state, watch, snapshot);
      lookInside(state, watch, snapshot);
    }
  } catch (const std::exception& problem) {
    snapshot.problem = problem.what();
  }
}

void Observer::readTexts(const ModelState& state, const Watch& watch, Snapshot& snapshot) {
  const data::Framing framing = framingFor(state.config, *codec_);
  const auto read = [&](const std::string& text) {
    const auto asked = std::ranges::find(snapshot.samples, text, &AnsweredQuestion::question);
    const AnsweredQuestion* own = asked != snapshot.samples.end() ? &*asked : nullptr;
    return probeInput(state, *codec_, framing, text, *backend_, watch.read, own);
  };
  std::vector<ProbeInput> inputs{read(watch.question)};
  for (const std::string& text : watch.others) inputs.push_back(read(text));
  padToLongest(inputs, *codec_, framing);
  snapshot.probe = std::move(inputs.front());
  for (std::size_t i = 1; i < inputs.size(); ++i)
    snapshot.others.push_back({std::move(inputs[i]), {}});
}

Snapshot Observer::lookAlong(const ProbeInput& input, const ModelState& state, const Watch& watch) {
  Snapshot snapshot;
  const auto seen = changed(state, watch, snapshot);
  if (!seen) return snapshot;
  Watch rest = watch;
  rest.question.clear();
  lookAt(*seen, rest, {}, snapshot);
  if (watch.question.empty() || !snapshot.problem.empty()) return snapshot;
  snapshot.probe = input;
  try {
    lookInside(*seen, watch, snapshot);
  } catch (const std::exception& problem) {
    snapshot.problem = problem.what();
  }
  return snapshot;
}

void Observer::lookInside(const ModelState& state, const Watch& watch, Snapshot& snapshot) {
  std::vector<ProbeInput> inputs{snapshot.probe};
  for (const SeenText& other : snapshot.others) inputs.push_back(other.probe);
  const Batch batch = joined(inputs).batch;
  checkInside(state.config, batch, watch.interventions);
  const BatchShape shape{batch.size, batch.source_length, batch.target_length};
  if (probe_ == nullptr || !(probe_->program().shape == shape) || !(config_ == state.config)) {
    probe_ = std::make_unique<observe::Probe>(state.config, batch, *backend_);
    config_ = state.config;
  }
  observe::Observations all =
      probe_->run(state.parameters, batch, watch.pattern, std::uint64_t(state.step));
  if (batch.size == 1) {
    snapshot.sites = observe::attentionSites(probe_->program());
    snapshot.observed = std::move(all);
    return;
  }
  const Program alone =
      observe::probedProgram(state.config, {1, shape.source_length, shape.target_length});
  snapshot.sites = observe::attentionSites(alone);
  snapshot.observed = observe::ofSequence(all, alone, 0);
  for (std::size_t i = 0; i < snapshot.others.size(); ++i)
    snapshot.others[i].observed = observe::ofSequence(all, alone, std::int64_t(i) + 1);
}

}  // namespace tfm::train
