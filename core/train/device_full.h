// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/base/error.h"

namespace tfm::train {

/// A device is out of memory for a training, which can continue on another device.
class DeviceFull : public Error {
 public:
  explicit DeviceFull(std::string_view device)
      : Error("the memory of the device '" + std::string(device) + "' is full", "device",
              "Continue on the CPU, or choose a smaller model, shorter sequences or a smaller "
              "batch") {}
};

}  // namespace tfm::train
