// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/backend/op_arguments.h"

namespace tfm::cpu {

/// Scaled dot-product attention of all heads; formula and layout stand in op_arguments.h.
template <class Real>
struct Attention {
  static void forward(const AttentionShape& shape, const AttentionTensors<Real>& t);
  static void backward(const AttentionShape& shape, const AttentionGradients<Real>& t);
};

}  // namespace tfm::cpu
