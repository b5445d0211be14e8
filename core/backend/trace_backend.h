// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "core/backend/backend_decorator.h"

namespace tfm {

/// The total cost of an op in one direction.
struct OpCost {
  std::string_view op;
  bool backward = false;
  std::int64_t calls = 0;
  double seconds = 0.0;    ///< summed over threads
  std::int64_t flops = 0;  ///< backward counts as twice forward
  std::int64_t bytes = 0;  ///< of all matrices read or written, each counted once per call
};

/// Measures the calls it forwards. Thread-safe.
template <class Real>
class TraceBackend final : public BackendDecorator<Real> {
 public:
  using BackendDecorator<Real>::BackendDecorator;

  void forward(const OpCall<Real>& call) const override;
  void backward(const OpCall<Real>& call) const override;

  /// The costs since the last reset(), by descending time.
  std::vector<OpCost> costs() const;
  void reset();
  /// Whether calls are forwarded without being measured. Set it only while there are none.
  void setPaused(bool paused) { paused_ = paused; }

 private:
  void measure(const OpCall<Real>& call, bool backward) const;

  bool paused_ = false;
  mutable std::mutex mutex_;
  mutable std::map<std::pair<std::string_view, bool>, OpCost> costs_;
};

}  // namespace tfm
