// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/backend/backend.h"

namespace tfm {

/// One row of the table of devices.
struct Device {
  std::string name;
  int score = 0;  ///< how fast it is, compared with the others
  /// Why it cannot run on this machine; empty where it can.
  std::function<std::string()> obstacle;
  std::function<std::unique_ptr<Backend<float>>()> make_float;
  std::function<std::unique_ptr<Backend<double>>()> make_double;
};

/// All devices that this program knows, also those that cannot run here.
std::vector<Device> devices();
/// One more, or another one of that name.
void addDevice(Device device);

/// From now on all is computed there where nothing else is said. Throws Error, naming the devices
/// there are, where there is none of that name or it cannot run on this machine.
void chooseDevice(std::string_view name);
/// The one chosen or, where none was, the fastest that can run.
std::string chosenDevice();

/// A backend on the chosen device.
template <class Real>
std::unique_ptr<Backend<Real>> makeBackend();

}  // namespace tfm
