// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/backend/cpu/attention.h"

namespace tfm::cpu {

/// Attention of small heads, as many at once as a register has numbers: number l of every register
/// belongs to the l-th of them. No product is then too narrow for a register, and sums and maxima
/// run across registers. Does without dropout.
template <class Real>
struct InterleavedAttention {
  /// Whether everything that a group of heads needs stays in the nearest cache.
  static bool fits(const AttentionShape& s);

  static void forward(const AttentionShape& s, const AttentionTensors<Real>& t);
  static void backward(const AttentionShape& s, const AttentionGradients<Real>& t);
};

}  // namespace tfm::cpu
