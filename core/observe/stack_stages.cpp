// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/observe/stack_stages.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/base/check.h"
#include "core/program/ops/ops.h"

namespace tfm::observe {
namespace {

using Producers = std::map<TensorId, const Step*>;

class Reader {
 public:
  Reader(const Program& program, Stack stack) : program_(program), stack_(stack) {
    for (const Step& step : program.steps) {
      for (const TensorId output : step.outputs) makers_[output] = &step;
      if (step.op == &ops::kAttention) attended_.insert(step.inputs.begin(), step.inputs.end());
    }
  }

  std::vector<StackStage> read() {
    for (const Step& step : program_.steps) {
      if (step.site.stack != stack_) continue;
      // Of what belongs to no layer, only what comes before the first is the input.
      const std::int64_t layer = step.site.layer;
      if (layer < 0 && !stages_.empty() && stages_.back().layer >= 0) continue;
      if (stages_.empty() || stages_.back().layer != layer) begin(layer);
      take(step);
    }
    close();
    return std::move(stages_);
  }

 private:
  const TensorInfo& info(TensorId id) const { return program_.tensors[std::size_t(id)]; }
  std::int64_t length(TensorId id) const {
    return info(id).rows / std::max<std::int64_t>(1, program_.shape.sequences);
  }

  void begin(std::int64_t layer) {
    close();
    StackStage& stage = stages_.emplace_back();
    stage.stack = stack_;
    stage.layer = layer;
    links_.clear();
    if (last_ != kNoTensor) links_[last_] = eachItself(length(last_));
  }

  void take(const Step& step) {
    StackStage& stage = stages_.back();
    stage.flops += program_.flopsOf(step);
    if (step.outputs.empty() || info(step.outputs.front()).role != Role::Activation) return;
    const TensorId output = step.outputs.front();
    const auto linked = std::ranges::find_if(
        step.inputs, [&](TensorId id) { return id != kNoTensor && links_.contains(id); });
    if (stages_.size() == 1 && linked == step.inputs.end()) {
      links_[output] = eachItself(length(output));
    } else if (linked != step.inputs.end()) {
      PositionLinks links = linksAfter(step, links_[*linked]);
      if (std::int64_t(links.size()) == length(output)) links_[output] = std::move(links);
    }
    if (step.op == &ops::kAdd)
      for (const TensorId input : step.inputs) {
        const auto earlier = std::ranges::find(ends_, input);
        if (earlier != ends_.end() && input != last_) stage.added = earlier - ends_.begin();
      }
    if (step.op->kind == OpKind::Map) addMap(stage, step);
    end_ = output;
  }

  void addMap(StackStage& stage, const Step& step) const {
    const TensorId x = step.inputs.front(), y = step.outputs.front();
    const auto maker = makers_.find(x);
    const bool of_states = links_.contains(x);
    const bool after = maker != makers_.end() && maker->second->op == &ops::kAttention;
    if (!of_states || after || attended_.contains(y)) return;
    PassedMap map{info(x).name, info(y).name, step.site.kind, info(x).cols, info(y).cols};
    if (step.op == &ops::kGroupedLinear) {
      const auto& [groups, shuffled] = std::any_cast<const GroupedLinearArguments&>(step.arguments);
      map.groups = groups;
      map.shuffled = shuffled;
    }
    if (maker != makers_.end() && maker->second->op == &ops::kJoinGroups)
      map.joined = info(maker->second->inputs.front()).cols;
    stage.maps.push_back(std::move(map));
  }

  void close() {
    if (stages_.empty()) return;
    StackStage& stage = stages_.back();
    stage.states = info(end_).name;
    stage.length = length(end_);
    stage.width = info(end_).cols;
    if (stages_.size() > 1) {
      stage.from = links_[end_];
      stage.from.resize(std::size_t(stage.length));
    }
    ends_.push_back(end_);
    last_ = end_;
  }

  const Program& program_;
  const Stack stack_;
  Producers makers_;
  std::set<TensorId> attended_;  ///< read by attentions
  std::vector<StackStage> stages_;
  std::vector<TensorId> ends_;               ///< the states of each finished stage
  TensorId last_ = kNoTensor;                ///< those of the stage before
  TensorId end_ = kNoTensor;                 ///< the last activation of this stage so far
  std::map<TensorId, PositionLinks> links_;  ///< of this stage's tensors to the stage before
};

}  // namespace

std::vector<StackStage> stackStages(const Program& program, Stack stack) {
  return Reader(program, stack).read();
}

std::vector<std::int64_t> relatives(const std::vector<StackStage>& stages, std::size_t of,
                                    std::int64_t position, std::size_t to) {
  check(of < stages.size() && to < stages.size(), "the stages exist");
  std::set<std::int64_t> now{position};
  for (; of > to; --of) {
    std::set<std::int64_t> before;
    for (const std::int64_t p : now)
      before.insert(stages[of].from[std::size_t(p)].begin(), stages[of].from[std::size_t(p)].end());
    now = std::move(before);
  }
  for (; of < to; ++of) {
    std::set<std::int64_t> after;
    for (std::size_t p = 0; p < stages[of + 1].from.size(); ++p)
      if (std::ranges::any_of(stages[of + 1].from[p],
                              [&](std::int64_t from) { return now.contains(from); }))
        after.insert(std::int64_t(p));
    now = std::move(after);
  }
  return {now.begin(), now.end()};
}

}  // namespace tfm::observe
