// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "core/tensor/matrix_view.h"

namespace tfm::cpu {

/// y[r] = scale * table[ids[r]]
template <class Real>
struct Embedding {
  using In = MatrixView<const Real>;
  using Out = MatrixView<Real>;
  static void forward(Out y, std::span<const std::int32_t> ids, In table, Real scale);
  static void backward(Out dtable, std::span<const std::int32_t> ids, In dy, Real scale);
};

/// y[r] = x[r] + positions[r mod length]
template <class Real>
struct AddPositions {
  using In = MatrixView<const Real>;
  using Out = MatrixView<Real>;
  static void forward(Out y, In x, In positions, std::int64_t length);
  static void backward(Out dx, Out dpositions, In dy, std::int64_t length);
};

/// y[b] = mean of the rows of sequence b that are not padding
template <class Real>
struct MeanPool {
  using In = MatrixView<const Real>;
  using Out = MatrixView<Real>;
  static void forward(Out y, In x, std::span<const std::int32_t> pad, std::int64_t length);
  static void backward(Out dx, In dy, std::span<const std::int32_t> pad, std::int64_t length);
};

}  // namespace tfm::cpu
