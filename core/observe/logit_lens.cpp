// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/observe/logit_lens.h"

#include <algorithm>
#include <memory>
#include <set>

#include "core/backend/buffer.h"
#include "core/base/error.h"
#include "core/model/build_program.h"
#include "core/program/ops/ops.h"
#include "core/tensor/softmax.h"

namespace tfm::observe {
namespace {

/// The step that computes a tensor, before interventions change what it computed.
const Step* originOf(const Program& program, TensorId id) {
  const Step* step = program.makerOf(id);
  while (step != nullptr && step->op == &ops::kAffine) step = program.makerOf(step->inputs.front());
  return step;
}

/// States of the stream and where they are.
struct StreamState {
  TensorId states;
  Site site;
};

/// The states that the last layer hands on.
TensorId lastStates(const Program& program) {
  const TensorId output = program.find(names::kOutput);
  const Step* step = originOf(program, output);
  if (step == nullptr || step->op != &ops::kLinear || step->site != Site{})
    throw Error("this model has no output layer that could read its states", "model",
                "Its output is the states themselves");
  TensorId states = output;
  for (; step != nullptr && step->site.layer < 0 && step->site.block < 0;
       step = program.makerOf(states))
    states = step->inputs.front();
  if (step == nullptr || step->site.layer < 0)
    throw Error("this model has no residual stream to read answers from", "model",
                "It is a single attention");
  return states;
}

/// From the input to the last states.
std::vector<StreamState> streamOf(const Program& program, TensorId last) {
  std::vector<StreamState> stream;
  TensorId now = last;
  for (const Step* step = originOf(program, now); step != nullptr && step->site.layer >= 0;
       step = originOf(program, now)) {
    if (step->op->positions == nullptr) stream.push_back({now, step->site});
    now = step->inputs.front();
    // norm(x + f(x)): the sum is on the way.
    if (step->op->kind == OpKind::Norm) now = originOf(program, now)->inputs.front();
  }
  stream.push_back({now, {}});
  std::ranges::reverse(stream);
  return stream;
}

/// The steps from these states to the output, which are now given.
std::shared_ptr<const Program> tailOf(const Program& program, TensorId states) {
  Program tail = program;
  tail.steps.clear();
  std::set<TensorId> follows{states};
  for (const Step& step : program.steps) {
    const auto reads = [&](TensorId id) { return id != kNoTensor && follows.contains(id); };
    if (follows.contains(program.find(names::kOutput)) || std::ranges::none_of(step.inputs, reads))
      continue;
    tail.steps.push_back(step);
    follows.insert(step.outputs.begin(), step.outputs.end());
  }
  TensorInfo& given = tail.tensors[std::size_t(states)];
  given.role = Role::Input;
  given.offset = tail.input_size;
  tail.input_size += given.rows * given.cols;
  return std::make_shared<const Program>(std::move(tail));
}

}  // namespace

template <class Real>
std::vector<LensAnswer> logitLens(Explainer<Real>& explainer, const Backend<Real>& backend) {
  const Program& program = explainer.program();
  const TensorId last = lastStates(program), output = program.find(names::kOutput);
  const std::shared_ptr<const Program> tail = tailOf(program, last);
  Executor<Real> executor(tail, backend, false);
  for (const Step& step : tail->steps)
    for (const TensorId id : step.inputs)
      if (id != kNoTensor && program.tensors[std::size_t(id)].role == Role::Ids)
        executor.upload(id, explainer.ids(id));
  const DeviceCopy<Real> parameters(backend.memory(), explainer.parameters());
  const TensorInfo& wanted = program.tensors[std::size_t(last)];
  std::vector<LensAnswer> answers;
  for (const auto& [states, site] : streamOf(program, last)) {
    const TensorInfo& t = program.tensors[std::size_t(states)];
    if (t.rows != wanted.rows || t.cols != wanted.cols) continue;
    const MatrixView<const Real> read = explainer.values(states);
    executor.upload(last, std::span(read.data, std::size_t(read.size())));
    executor.forward(parameters.data(), explainer.position());
    const MatrixView<const Real> logits = executor.values(output);
    LensAnswer answer{t.name, site, logits.rows, logits.cols, {}, {}};
    answer.logits.assign(logits.data, logits.data + logits.size());
    answer.probabilities = softmax(logits);
    answers.push_back(std::move(answer));
  }
  return answers;
}

template std::vector<LensAnswer> logitLens(Explainer<float>&, const Backend<float>&);
template std::vector<LensAnswer> logitLens(Explainer<double>&, const Backend<double>&);

}  // namespace tfm::observe
