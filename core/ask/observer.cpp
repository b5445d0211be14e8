// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/observer.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "core/ask/probe_batch.h"
#include "core/ask/snapshot_difference.h"
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

StatePtr Observer::changed(const Looking& looking, const StatePtr& state) {
  const auto& interventions = looking.interventions;
  if (interventions.empty()) return state;
  if (kept_ && kept_->interventions == interventions && kept_->step == state->step &&
      kept_->config == state->config && kept_->parameters == state->parameters)
    return kept_->changed;
  kept_.reset();
  auto changed = std::make_shared<const ModelState>(
      withInterventions(*state, *codec_, interventions, *backend_));
  if (std::ranges::any_of(interventions, takesRuns))
    kept_ = Kept{interventions, state->step, state->config, state->parameters, changed};
  return changed;
}

std::shared_ptr<const Snapshot> Observer::look(const Looking& looking, const StatePtr& state,
                                               std::span<const float> gradients) {
  auto seen = std::make_shared<Snapshot>(lookAt(looking, state, gradients));
  if (looking.minus) {
    Looking earlier = looking;
    earlier.samples.clear();
    auto subtrahend = std::make_shared<Snapshot>(lookAt(earlier, looking.minus, {}, &seen->probe));
    auto both = std::make_shared<Snapshot>(difference(*seen, *subtrahend));
    both->minuend = std::move(seen);
    both->subtrahend = std::move(subtrahend);
    return both;
  }
  if (looking.beside && !looking.question.empty() && seen->problem.empty())
    seen->beside = lookBeside(looking, seen->probe);
  return seen;
}

std::shared_ptr<const Snapshot> Observer::lookBeside(Looking looking, const ProbeInput& input) {
  looking.state.reset();
  looking.samples.clear();
  looking.norms = looking.parameters = false;
  if (!beside_ || !(beside_->looking == looking) || !(beside_->batch == input.batch))
    beside_ = Beside{looking, input.batch,
                     std::make_shared<Snapshot>(lookAt(looking, looking.beside, {}, &input))};
  return beside_->seen;
}

Snapshot Observer::lookAt(const Looking& looking, const StatePtr& state,
                          std::span<const float> gradients, const ProbeInput* input) {
  Snapshot snapshot;
  snapshot.step = state->step;
  snapshot.interventions = looking.interventions;
  if (looking.parameters) snapshot.state = state;
  try {
    const StatePtr seen = changed(looking, state);
    if (looking.parameters && seen != state) snapshot.changed = seen;
    if (looking.norms)
      snapshot.norms = observe::parameterNorms(seen->layout, seen->parameters, gradients);
    if (!looking.samples.empty()) {
      SamplingOptions greedy;
      greedy.keep_logits = looking.logits;
      greedy.max_tokens = std::clamp<std::int64_t>(seen->config.target_length, 1, kLongestSample);
      snapshot.samples = answer(*seen, *codec_, framingFor(seen->config, *codec_), looking.samples,
                                greedy, *backend_);
    }
    if (looking.question.empty()) return snapshot;
    if (input != nullptr)
      snapshot.probe = *input;
    else
      readTexts(*seen, looking, snapshot);
    if (!looking.pattern.empty()) lookInside(*seen, looking, snapshot);
  } catch (const std::exception& problem) {
    snapshot.problem = problem.what();
  }
  return snapshot;
}

void Observer::readTexts(const ModelState& state, const Looking& looking, Snapshot& snapshot) {
  const data::Framing framing = framingFor(state.config, *codec_);
  const auto read = [&](const std::string& text) {
    const auto asked = std::ranges::find(snapshot.samples, text, &AnsweredQuestion::question);
    const AnsweredQuestion* own = asked != snapshot.samples.end() ? &*asked : nullptr;
    return probeInput(state, *codec_, framing, text, *backend_, looking.read, own);
  };
  std::vector<ProbeInput> inputs{read(looking.question)};
  for (const std::string& text : looking.others) inputs.push_back(read(text));
  padToLongest(inputs, *codec_, framing);
  snapshot.probe = std::move(inputs.front());
  for (std::size_t i = 1; i < inputs.size(); ++i)
    snapshot.others.push_back({std::move(inputs[i]), {}});
}

void Observer::lookInside(const ModelState& state, const Looking& looking, Snapshot& snapshot) {
  std::vector<ProbeInput> inputs{snapshot.probe};
  for (const SeenText& other : snapshot.others) inputs.push_back(other.probe);
  const Batch batch = joined(inputs).batch;
  checkInside(state.config, batch, looking.interventions);
  const BatchShape shape{batch.size, batch.source_length, batch.target_length};
  if (probe_ == nullptr || !(probe_->program().shape == shape) || !(config_ == state.config)) {
    probe_ = std::make_unique<observe::Probe>(state.config, batch, *backend_);
    config_ = state.config;
  }
  observe::Observations all =
      probe_->run(state.parameters, batch, looking.pattern, std::uint64_t(state.step));
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
