// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "core/backend/backend.h"

namespace tfm {

/// One row of the table of backends.
struct BackendEntry {
  std::string_view name;
  /// How fast it is on this machine, compared with the others; 0 where it cannot run.
  int (*score)();
  std::unique_ptr<Backend<float>> (*make_float)();
  std::unique_ptr<Backend<double>> (*make_double)();
};

/// All backends that this program has.
std::span<const BackendEntry> backends();

/// The backend of that name, or the one of the highest score. Throws Error where there is none of
/// that name or it cannot run on this machine.
template <class Real>
std::unique_ptr<Backend<Real>> makeBackend(std::string_view name = {});

}  // namespace tfm
