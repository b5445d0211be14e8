// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/backend/backend.h"
#include "core/backend/buffer.h"
#include "core/backend/repeated.h"
#include "core/program/first_gradients.h"
#include "core/program/program.h"

namespace tfm {

template <class Real>
struct RunMemory;

/// Runs a program on a backend. Its inputs and activations are in the backend's memory, and so must
/// be the parameters passed to it. What is read of them on the host stays valid until the next run,
/// unless its function says otherwise. One executor is used by one thread at a time.
template <class Real>
class Executor {
 public:
  /// `gradients` allocates memory for a backward pass. `states`: memory for the program's states
  /// that executors of several programs share, program->state_size numbers; null: its own.
  Executor(std::shared_ptr<const Program> program, const Backend<Real>& backend, bool gradients,
           Real* states = nullptr);

  const Program& program() const { return *program_; }

  /// Sets all integers of an Ids tensor, or all numbers of an Input tensor, row-major.
  void upload(TensorId id, std::span<const std::int32_t> ids);
  void upload(TensorId id, std::span<const Real> numbers);

  /// The integers of an Ids tensor; valid until the next call of this function.
  std::span<const std::int32_t> ids(TensorId id);
  /// The values of an Input tensor or, after a run, of an Activation.
  MatrixView<const Real> values(TensorId id);
  /// The gradient of an Activation of a program that is watched, after backward().
  MatrixView<const Real> gradient(TensorId id);
  /// The column of the largest number in each row of an Activation after a run; valid until the
  /// next call of this or answers().
  std::span<const std::int32_t> argmax(TensorId id);
  /// Whether all numbers that a step has computed are finite, and their squares too.
  bool isFinite(TensorId id);

  /// Runs all steps in order. `parameters` has program().parameters.total numbers.
  void forward(const Real* parameters, const RunPosition& position);
  /// Options of a backward pass.
  struct BackwardOptions {
    bool operator==(const BackwardOptions&) const = default;
    TensorId loss = kNoTensor;
    Real weight = 1;   ///< factor of the loss
    bool add = false;  ///< accumulate parameter gradients instead of overwriting them
  };
  /// After forward(): computes weight * d loss / d parameter into `parameter_gradients`. Gradients
  /// of parameters that no step reads (see usedParameters()) are left unchanged.
  void backward(const Real* parameters, Real* parameter_gradients, const BackwardOptions& what,
                const RunPosition& position);

  /// Work on the backend after a training pass; `loss` is in the backend's memory. `key` identifies
  /// the addresses and arguments that a recording of it would keep.
  struct Afterwards {
    std::function<void(const Real* loss)> work;
    std::uint64_t key = 0;
  };
  /// forward() and backward(), and then `afterwards`, all in one recording where the backend makes
  /// one. `answers`: an activation whose argmax() answers() returns, or kNoTensor.
  void train(const Real* parameters, Real* parameter_gradients, const BackwardOptions& what,
             const RunPosition& position, TensorId answers, const Afterwards& afterwards);
  std::span<const std::int32_t> answers();

 private:
  const TensorInfo& tensor(TensorId id) const { return program_->tensors[std::size_t(id)]; }
  MatrixView<const Real> fetched(MatrixView<const Real> matrix);
  RunMemory<Real> memoryOf(const Real* parameters);
  void makeRoomForArgmax(TensorId id);
  void computeArgmax(TensorId id);
  void clearActivations(const FirstGradients& first);
  void setPosition(const RunPosition& position);
  void runForward(const Real* parameters);
  void runBackward(const Real* parameters, Real* gradients, const BackwardOptions& what);

  /// What a recording of a pass keeps.
  struct Pass {
    const Real* parameters;
    Real* gradients;
    BackwardOptions what;
    const std::int32_t* answers = nullptr;
    std::uint64_t afterwards = 0;
    bool operator==(const Pass&) const = default;
  };

  std::shared_ptr<const Program> program_;
  const Backend<Real>& backend_;
  std::vector<FirstGradients> first_gradients_;
  GradientMemory gradient_memory_;
  Buffer<std::int32_t> ids_, argmax_;
  Buffer<double> squares_;
  Buffer<Real> inputs_, constants_, activations_, gradients_, own_states_;
  Real* states_;
  HostCopy<std::int32_t> read_ids_, read_argmax_;
  std::map<const Real*, HostCopy<Real>> read_;  // by address
  Buffer<RunPosition> position_;
  RunPosition position_now_;
  TensorId answers_ = kNoTensor;
  Repeated<Pass> forward_, backward_, trainings_;
};

}  // namespace tfm
