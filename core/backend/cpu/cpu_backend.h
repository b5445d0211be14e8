// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string_view>

#include "core/backend/backend.h"

namespace tfm {

/// The name of the CPU with KernelSet::Fixed.
inline constexpr std::string_view kSameNumbers = "cpu, same numbers";

/// The reference backend: the kernels defined with the ops, single-threaded. Stateless, so threads
/// may share one.
template <class Real>
std::unique_ptr<Backend<Real>> makeCpuBackend(KernelSet set = KernelSet::Fastest);

}  // namespace tfm
