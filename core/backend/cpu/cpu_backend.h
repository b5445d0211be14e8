// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/backend/backend.h"

namespace tfm {

/// The reference backend: the kernels that stand with the ops, on one core a call. Holds no state,
/// so all threads may share one.
template <class Real>
std::unique_ptr<Backend<Real>> makeCpuBackend();

}  // namespace tfm
