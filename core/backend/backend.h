// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

#include "core/backend/device_memory.h"
#include "core/backend/op.h"

namespace tfm {

/// One device that ops run on: a memory, and kernels that work on what lies there. A backend that
/// has no kernels of its own for an op hands the call on to another one; a decorator hands all of
/// them on. A call may return before it is done, but no later one begins before on the same memory.
/// Calls on different memory may run on several threads at once.
template <class Real>
class Backend {
 public:
  virtual ~Backend() = default;
  virtual std::string_view name() const = 0;

  virtual const DeviceMemory& memory() const = 0;
  virtual void forward(const OpCall<Real>& call) const = 0;
  virtual void backward(const OpCall<Real>& call) const = 0;
};

}  // namespace tfm
