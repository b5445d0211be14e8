// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/step_program.h"

#include <string>
#include <utility>
#include <vector>

#include "core/base/check.h"
#include "core/program/ops/ops.h"

namespace tfm::train {
namespace {

/// Adds other programs and sums to a program.
class Joiner {
 public:
  explicit Joiner(Program& program) : program_(program) {}

  /// All of another submodel's program, but for the inputs and parameters, which are shared.
  void append(const Program& other, const std::string& name, std::int64_t place) {
    const std::string prefix = name + '.';
    std::vector<TensorId> now;
    for (std::size_t i = 0; i < other.tensors.size(); ++i)
      now.push_back(taken(other, TensorId(i), prefix, now));
    program_.ids_size += other.ids_size;
    program_.activation_size += other.activation_size;
    program_.constants.insert(program_.constants.end(), other.constants.begin(),
                              other.constants.end());
    for (Step step : other.steps) {
      step.path = prefix + step.path;
      step.site = {.layer = place};
      for (auto* ids : {&step.inputs, &step.outputs})
        for (TensorId& id : *ids)
          if (id != kNoTensor) id = now[std::size_t(id)];
      program_.steps.push_back(std::move(step));
    }
  }

  void rename(std::string_view from, std::string_view to) {
    const TensorId id = program_.find(from);
    for (Step& step : program_.steps)
      if (!step.outputs.empty() && step.outputs.front() == id) step.path = to;
    program_.tensors[std::size_t(id)].name = to;
    program_.index.erase(std::string(from));
    program_.index[std::string(to)] = id;
  }

  /// A step on single numbers.
  TensorId step(const Op& op, const std::string& name, std::vector<TensorId> inputs) {
    const TensorId result = add({name, Role::Activation, 1, 1, program_.activation_size});
    program_.activation_size += alignedSize(1);
    program_.steps.push_back({&op, name, std::move(inputs), {result}, {}});
    return result;
  }

  TensorId constant(const std::string& name, double value) {
    const auto offset = std::int64_t(program_.constants.size());
    program_.constants.push_back(value);
    return add({name, Role::Constant, 1, 1, offset});
  }

 private:
  TensorId add(TensorInfo info) {
    const auto id = TensorId(program_.tensors.size());
    check(program_.index.emplace(info.name, id).second, "tensor names are unique");
    program_.tensors.push_back(std::move(info));
    return id;
  }

  /// The tensor of the joint program for one of the other; `now`: for those before it.
  TensorId taken(const Program& other, TensorId id, const std::string& prefix,
                 const std::vector<TensorId>& now) {
    TensorInfo info = other.tensors[std::size_t(id)];
    const bool given = info.role == Role::Input || info.role == Role::Parameter ||
                       (info.role == Role::Ids && other.makerOf(id) == nullptr);
    if (given) {
      const TensorId known = program_.find(info.name);
      if (info.role == Role::Parameter && known == kNoTensor && info.window_of != kNoTensor) {
        info.window_of = now[std::size_t(info.window_of)];
        return add(std::move(info));
      }
      check(known != kNoTensor, "submodels read the same inputs and parameters");
      const TensorInfo& own = program_.tensors[std::size_t(known)];
      check(own.rows == info.rows && own.cols == info.cols &&
                (info.role != Role::Parameter || own.offset == info.offset),
            "submodels read the same inputs and parameters");
      return known;
    }
    info.name = prefix + info.name;
    info.offset += info.role == Role::Ids        ? program_.ids_size
                   : info.role == Role::Constant ? std::int64_t(program_.constants.size())
                                                 : program_.activation_size;
    return add(std::move(info));
  }

  Program& program_;
};

}  // namespace

Program stepProgram(const ModelConfig& config, const BatchShape& shape, bool numbers, bool scores,
                    std::span<const WeightedPart> parts) {
  check(!parts.empty(), "a step trains something");
  const auto built = [&](const WeightedPart& part) {
    ProgramOptions options;
    options.loss = true;
    options.numbers = numbers;
    options.scores = scores;
    options.submodel = part.submodel;
    return buildProgram(config, shape, options);
  };
  Program program = built(parts.back());
  if (parts.size() == 1 && parts.front().weight == 1.0) return program;
  Joiner joiner(program);
  joiner.rename(names::kLoss, kOwnLoss);
  std::vector<std::pair<TensorId, double>> losses{{program.find(kOwnLoss), parts.back().weight}};
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    joiner.append(built(parts[i]), parts[i].name, std::int64_t(i));
    losses.emplace_back(program.find(parts[i].name + '.' + std::string(names::kLoss)),
                        parts[i].weight);
  }
  const std::string sum(names::kLoss);
  const TensorId nothing = joiner.constant(sum + ".nothing", 0.0);
  TensorId all = kNoTensor;
  for (std::size_t i = 0; i < losses.size(); ++i) {
    const std::string number = '.' + std::to_string(i);
    const bool last = i + 1 == losses.size();
    const TensorId weight = joiner.constant(sum + ".weight" + number, losses[i].second);
    const TensorId weighted =
        joiner.step(ops::kAffine, i == 0 && last ? sum : sum + ".weighted" + number,
                    {losses[i].first, weight, nothing});
    all = i == 0 ? weighted
                 : joiner.step(ops::kAdd, last ? sum : sum + ".sum" + number, {all, weighted});
  }
  return program;
}

}  // namespace tfm::train
