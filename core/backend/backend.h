// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "core/backend/device_memory.h"
#include "core/backend/op.h"

namespace tfm {

/// Calls that were recorded, to be run again.
class Recording {
 public:
  virtual ~Recording() = default;
  /// Replays the calls, in order with others of the backend. The data may have changed; addresses,
  /// shapes and arguments must not.
  virtual void run() const = 0;
};

/// A device that runs ops: a memory and kernels that work on it. Without kernels for an op, a
/// backend may forward the call to another backend on the same memory, as on that of the host, or
/// throws Error, which names the op; decorators forward all calls. Calls may be asynchronous; those
/// on the same memory run in order. Calls on different memory may run concurrently.
template <class Real>
class Backend {
 public:
  virtual ~Backend() = default;
  virtual std::string_view name() const = 0;
  /// What it computes with, for benchmark reports; empty if there is nothing to report.
  virtual std::string details() const { return {}; }

  virtual const DeviceMemory& memory() const = 0;
  virtual void forward(const OpCall<Real>& call) const = 0;
  virtual void backward(const OpCall<Real>& call) const = 0;

  /// Whether calls on different memory run at the same time, so that it pays to split a batch or a
  /// long row. The order of partial sums depends on it.
  virtual bool splitsWork() const { return true; }
  /// Whether programs keep attention maps and all gradients of activations even if they are not
  /// watched, because its kernels read these maps and there is enough memory.
  virtual bool keepsAll() const { return true; }
  /// Records the calls that `work` makes on this thread, without running them. Null where a call
  /// costs so little that recording would save nothing. The memory that they use must outlive the
  /// recording, and so must the backend.
  virtual std::unique_ptr<Recording> record(const std::function<void()>& work) const {
    static_cast<void>(work);
    return nullptr;
  }
};

}  // namespace tfm
