// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/observer.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "core/backend/registry.h"
#include "core/train/fit_task.h"

namespace tfm::train {
namespace {

constexpr std::int64_t kLongestSample = 64;

}  // namespace

Observer::Observer(std::shared_ptr<const data::Task> task)
    : task_(std::move(task)), backend_(makeBackend<float>()) {}

Snapshot Observer::look(const ModelState& state, const Watch& watch,
                        std::span<const float> gradients) {
  Snapshot snapshot;
  snapshot.step = state.step;
  if (watch.norms)
    snapshot.norms = observe::parameterNorms(state.layout, state.parameters, gradients);
  const data::Framing framing = framingFor(state.config, *task_);
  try {
    if (!watch.samples.empty()) {
      SamplingOptions greedy;
      greedy.keep_logits = watch.logits;
      greedy.max_tokens = std::clamp<std::int64_t>(state.config.target_length, 1, kLongestSample);
      snapshot.samples = answer(state, *task_, framing, watch.samples, greedy, *backend_);
    }
    if (!watch.question.empty()) {
      const auto asked =
          std::ranges::find(snapshot.samples, watch.question, &AnsweredQuestion::question);
      const AnsweredQuestion* own = asked != snapshot.samples.end() ? &*asked : nullptr;
      snapshot.probe =
          probeInput(state, *task_, framing, watch.question, *backend_, watch.read, own);
      lookInside(state, watch, snapshot);
    }
  } catch (const std::exception& problem) {
    snapshot.problem = problem.what();
  }
  return snapshot;
}

Snapshot Observer::lookAlong(const ProbeInput& input, const ModelState& state, const Watch& watch) {
  Watch rest = watch;
  rest.question.clear();
  Snapshot snapshot = look(state, rest);
  if (watch.question.empty() || !snapshot.problem.empty()) return snapshot;
  snapshot.probe = input;
  try {
    lookInside(state, watch, snapshot);
  } catch (const std::exception& problem) {
    snapshot.problem = problem.what();
  }
  return snapshot;
}

void Observer::lookInside(const ModelState& state, const Watch& watch, Snapshot& snapshot) {
  const Batch& batch = snapshot.probe.batch;
  const BatchShape shape{batch.size, batch.source_length, batch.target_length};
  if (probe_ == nullptr || !(probe_->program().shape == shape) || !(config_ == state.config)) {
    probe_ = std::make_unique<observe::Probe>(state.config, batch, *backend_);
    config_ = state.config;
  }
  snapshot.sites = observe::attentionSites(probe_->program());
  snapshot.observed =
      probe_->run(state.parameters, batch, watch.pattern, std::uint64_t(state.step));
}

}  // namespace tfm::train
