// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/backend/op_arguments.h"
#include "core/tensor/matrix_view.h"

namespace tfm::cpu {

/// mean = sum(m x) / sum(m), variance = sum(m (x - mean)^2) / sum(m),
/// y = m ((x - mean) / sqrt(variance + eps) * gain + bias) by rows, m = 1 or mask.weight; saved:
/// mean, 1 / sqrt(variance + eps). At weight 1 it is LayerNorm, number for number.
template <class Real>
struct MaskedLayerNorm {
  using In = MatrixView<const Real>;
  using Out = MatrixView<Real>;
  static void forward(Out y, Out saved, In x, In gain, In bias, Real eps, const ColumnMask& mask);
  static void backward(Out dx, Out dgain, Out dbias, In dy, In x, In gain, In saved,
                       const ColumnMask& mask);
};

}  // namespace tfm::cpu
