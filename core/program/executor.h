// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/backend/backend.h"
#include "core/program/first_gradients.h"
#include "core/program/program.h"
#include "core/tensor/aligned_vector.h"

namespace tfm {

template <class Real>
struct RunMemory;

/// Runs a program: owns the memory of its inputs and activations, borrows parameters and backend.
/// One executor is used by one thread at a time.
template <class Real>
class Executor {
 public:
  /// `gradients` makes room for a backward pass.
  Executor(std::shared_ptr<const Program> program, const Backend<Real>& backend, bool gradients);

  const Program& program() const { return *program_; }

  /// The integers of an Ids tensor, to be filled before a run.
  std::span<std::int32_t> ids(TensorId id);
  /// The numbers of an Input tensor (to be filled before a run) or of an Activation (after one).
  MatrixView<Real> values(TensorId id);
  /// The gradient of an Activation after backward().
  MatrixView<const Real> gradient(TensorId id) const;

  /// Computes every step in order. `parameters` has program().parameters.total numbers.
  void forward(const Real* parameters, const RunPosition& position);
  /// What a backward pass is about.
  struct Differentiate {
    TensorId loss = kNoTensor;
    Real weight = 1;   ///< factor of the loss
    bool add = false;  ///< to the gradients of parameters that are there, instead of writing them
  };
  /// After forward(): weight * d loss / d parameter, in `parameter_gradients`. Those of parameters
  /// that no step reads (see usedParameters) are left as they are.
  void backward(const Real* parameters, Real* parameter_gradients, const Differentiate& what,
                const RunPosition& position);

 private:
  RunMemory<Real> memoryOf(const Real* parameters);
  void clearActivations(const FirstGradients& first);

  std::shared_ptr<const Program> program_;
  const Backend<Real>& backend_;
  std::vector<std::int32_t> ids_;
  std::vector<FirstGradients> first_gradients_;
  AlignedVector<Real> inputs_, constants_, activations_, gradients_;
};

}  // namespace tfm
