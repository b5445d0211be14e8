// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "core/backend/backend_decorator.h"

namespace tfm {

/// What one op took in one direction.
struct OpCost {
  std::string_view op;
  bool backward = false;
  std::int64_t calls = 0;
  double seconds = 0.0;    ///< of all threads together
  std::int64_t flops = 0;  ///< a backward counts twice its forward
  std::int64_t bytes = 0;  ///< of all matrices read or written, each once a call
};

/// Measures the calls that it hands on. Calls may come from several threads.
template <class Real>
class TraceBackend final : public BackendDecorator<Real> {
 public:
  using BackendDecorator<Real>::BackendDecorator;

  void forward(const OpCall<Real>& call) const override;
  void backward(const OpCall<Real>& call) const override;

  /// What was measured since the last reset(), the longest time first.
  std::vector<OpCost> costs() const;
  void reset();
  /// Whether calls are handed on without being measured. To be set while there are none.
  void setPaused(bool paused) { paused_ = paused; }

 private:
  void measure(const OpCall<Real>& call, bool backward) const;

  bool paused_ = false;
  mutable std::mutex mutex_;
  mutable std::map<std::pair<std::string_view, bool>, OpCost> costs_;
};

}  // namespace tfm
