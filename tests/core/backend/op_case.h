// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/backend/backend.h"
#include "tests/core/backend/plain_matrix.h"

namespace tfm::test {

/// The matrices of one call of an op, by position; empty views for those that are absent.
template <class Real>
struct OpCall {
  std::vector<MatrixView<const Real>> in;
  std::vector<MatrixView<Real>> out;
  MatrixView<const Real> dout;          ///< gradient of out[0]
  std::vector<GradientView<Real>> din;  ///< of the inputs
};

struct OpInput {
  Size size;
  bool has_gradient = true;
};

/// One row of the table: an op at certain sizes, in both precisions, with its plain reference.
struct OpCase {
  std::string name;
  std::vector<OpInput> inputs;
  std::vector<Size> outputs;
  std::function<void(const Backend<double>&, const OpCall<double>&)> forward;
  std::function<void(const Backend<double>&, const OpCall<double>&)> backward;
  std::function<void(const Backend<float>&, const OpCall<float>&)> forward_float;
  std::function<void(const Backend<float>&, const OpCall<float>&)> backward_float;
  std::function<std::vector<PlainMatrix>(const std::vector<PlainMatrix>&)> reference;
  double float_tolerance = 2e-5;
};

/// Every op at sizes of one, odd sizes and sizes that are no multiple of a vector, with and without
/// its options.
std::vector<OpCase> opCases();

}  // namespace tfm::test
