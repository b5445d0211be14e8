// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/backend/backend.h"

namespace tfm {

/// The reference backend: the kernels defined with the ops, single-threaded. Stateless, so threads
/// may share one.
template <class Real>
std::unique_ptr<Backend<Real>> makeCpuBackend();

}  // namespace tfm
