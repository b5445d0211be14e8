// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/backend/backend.h"

namespace tfm::test {

/// The CPU's kernels on a memory that nobody but they may touch: any other access faults, as on a
/// device of its own, and a call whose numbers lie elsewhere throws std::logic_error. Threads that
/// wait meanwhile could touch it too, so a proof takes one.
template <class Real>
std::unique_ptr<Backend<Real>> makeProtectedBackend();

/// From now on all is computed on such backends.
void chooseProtectedDevice();

}  // namespace tfm::test
