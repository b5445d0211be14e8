// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/observe/tensor_shape.h"

#include <algorithm>
#include <any>

#include "core/observe/attention_stage.h"

namespace tfm::observe {
namespace {

/// Whether each sequence of a batch has separate rows: those of what follows from what the model
/// reads, but not those of weights, tables made of them, and the loss.
bool hasRowsOfEachSequence(const Program& program, TensorId tensor) {
  const std::int64_t sequences = program.shape.sequences;
  if (sequences < 2 || program.tensors[std::size_t(tensor)].rows % sequences != 0) return false;
  std::vector<bool> follows;
  for (const TensorInfo& t : program.tensors)
    follows.push_back(t.role == Role::Ids || t.role == Role::Input);
  for (const Step& step : program.steps) {
    const auto reads = [&](TensorId id) { return id != kNoTensor && follows[std::size_t(id)]; };
    if (std::ranges::none_of(step.inputs, reads)) continue;
    for (const TensorId id : step.outputs)
      if (id != kNoTensor) follows[std::size_t(id)] = true;
  }
  return follows[std::size_t(tensor)];
}

}  // namespace

std::vector<std::int64_t> tensorShape(const Program& program, std::string_view name) {
  const TensorInfo& tensor = program.tensor(name);
  const TensorId id = program.find(name);
  if (isAttentionMap(program, id)) {
    const AttentionShape& s =
        std::any_cast<const AttentionArguments&>(program.makerOf(id)->arguments).shape;
    if (s.batch == 1) return {s.heads, s.queries, s.keys};
    return {s.batch, s.heads, s.queries, s.keys};
  }
  std::vector<std::int64_t> shape{tensor.rows};
  if (hasRowsOfEachSequence(program, id))
    shape = {program.shape.sequences, tensor.rows / program.shape.sequences};
  if (tensor.role != Role::Ids) shape.push_back(tensor.cols);
  return shape;
}

}  // namespace tfm::observe
