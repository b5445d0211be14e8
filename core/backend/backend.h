// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

#include "core/backend/device_memory.h"
#include "core/backend/op.h"

namespace tfm {

/// A device that runs ops: a memory and kernels that work on it. A backend without kernels for an
/// op forwards the call to another backend; decorators forward all calls. Calls may be
/// asynchronous; those on the same memory run in order. Calls on different memory may run
/// concurrently.
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
