// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "core/backend/backend_decorator.h"

namespace tfm {

/// The difference between two backends in one op: the largest |tested - reference| in a matrix,
/// divided by the largest |reference| if that is above 1. Infinite if NaNs or infinities differ.
struct OpDifference {
  std::string_view op;
  double forward = 0.0;   ///< of outputs
  double backward = 0.0;  ///< of gradients
};

/// Runs every call on two backends, each in its own memory, returns the reference's results and
/// records the differences. Thread-safe.
template <class Real>
class CheckBackend final : public BackendDecorator<Real> {
 public:
  CheckBackend(std::unique_ptr<Backend<Real>> reference, std::unique_ptr<Backend<Real>> tested)
      : BackendDecorator<Real>(std::move(reference)), tested_(std::move(tested)) {}

  void forward(const OpCall<Real>& call) const override;
  void backward(const OpCall<Real>& call) const override;

  /// The largest differences so far, one row per op called.
  std::vector<OpDifference> worst() const;

 private:
  void record(std::string_view op, double OpDifference::*direction, double difference) const;

  std::unique_ptr<Backend<Real>> tested_;
  mutable std::mutex mutex_;
  mutable std::map<std::string_view, OpDifference> worst_;
};

}  // namespace tfm
