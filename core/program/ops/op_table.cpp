// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/program/ops/op_table.h"

#include <array>

#include "core/base/check.h"

namespace tfm {

namespace {

const auto& table() {
  // In the order of the enumeration.
  static const std::array kTable{
      embeddingOp(), addPositionsOp(), padColumnsOp(), linearOp(),       activationOp(),
      addOp(),       gateOp(),         dropoutOp(),    layerNormOp(),    maskedLayerNormOp(),
      rmsNormOp(),   attentionOp(),    meanPoolOp(),   crossEntropyOp(), squaredErrorOp(),
  };
  return kTable;
}

}  // namespace

const OpDefinition& opDefinition(Op op) {
  const OpDefinition& row = table().at(std::size_t(op));
  check(row.op == op, "the op table stands in the order of the enumeration");
  return row;
}

std::size_t opCount() { return table().size(); }

std::int64_t outputElements(const Program& program, const Step& step) {
  const TensorInfo& t = program.tensors[std::size_t(step.outputs.front())];
  return t.rows * t.cols;
}

}  // namespace tfm
