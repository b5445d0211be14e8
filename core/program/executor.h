// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/backend/backend.h"
#include "core/backend/buffer.h"
#include "core/program/first_gradients.h"
#include "core/program/program.h"

namespace tfm {

template <class Real>
struct RunMemory;

/// Runs a program on a backend, in whose memory inputs, activations and parameters lie. Values read
/// on the host are valid until the next run. Not thread-safe: one thread at a time uses an
/// executor.
template <class Real>
class Executor {
 public:
  /// `gradients` allocates memory for a backward pass.
  Executor(std::shared_ptr<const Program> program, const Backend<Real>& backend, bool gradients);

  const Program& program() const { return *program_; }

  /// Sets all integers of an Ids tensor, or all numbers of an Input tensor, row-major.
  void upload(TensorId id, std::span<const std::int32_t> ids);
  void upload(TensorId id, std::span<const Real> numbers);

  /// The integers of an Ids tensor.
  std::span<const std::int32_t> ids(TensorId id);
  /// The values of an Input tensor or, after a run, of an Activation.
  MatrixView<const Real> values(TensorId id);
  /// The gradient of an Activation after backward().
  MatrixView<const Real> gradient(TensorId id);
  /// After a run: the column of the largest value in each row of an Activation.
  std::span<const std::int32_t> argmax(TensorId id);
  /// After a run: whether all values of an Activation, and their squares, are finite.
  bool isFinite(TensorId id);

  /// Runs all steps in order. `parameters` has program().parameters.total numbers.
  void forward(const Real* parameters, const RunPosition& position);
  /// Options of a backward pass.
  struct BackwardOptions {
    TensorId loss = kNoTensor;
    Real weight = 1;   ///< factor of the loss
    bool add = false;  ///< accumulate parameter gradients instead of overwriting them
  };
  /// After forward(): computes weight * d loss / d parameter into `parameter_gradients`. Gradients
  /// of parameters that no step reads (see usedParameters()) are left unchanged.
  void backward(const Real* parameters, Real* parameter_gradients, const BackwardOptions& what,
                const RunPosition& position);

 private:
  const TensorInfo& tensor(TensorId id) const { return program_->tensors[std::size_t(id)]; }
  MatrixView<const Real> fetched(MatrixView<const Real> matrix);
  RunMemory<Real> memoryOf(const Real* parameters);
  void clearActivations(const FirstGradients& first);

  std::shared_ptr<const Program> program_;
  const Backend<Real>& backend_;
  std::vector<FirstGradients> first_gradients_;
  Buffer<std::int32_t> ids_, argmax_;
  Buffer<double> squares_;
  Buffer<Real> inputs_, constants_, activations_, gradients_;
  HostCopy<std::int32_t> read_ids_, read_argmax_;
  std::map<const Real*, HostCopy<Real>> read_;  // by address
};

}  // namespace tfm
