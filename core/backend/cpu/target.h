// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/backend/op.h"

namespace tfm::cpu {

/// Chooses the instruction set of the kernels that are dispatched from now on and returns its name.
/// Fastest: the best one that this processor supports, or the one in the environment variable
/// TFM_CPU (Highway's names: AVX3 for AVX-512, AVX2, SSE4, NEON, EMU128 for none). Fixed: on x86-64
/// SSE4, or EMU128 on a processor without it: both have four floats in a register and round every
/// product, so they give the same bytes. Elsewhere the one that all processors have.
std::string_view chooseTarget(KernelSet set = KernelSet::Fastest);

/// What TFM_CPU says; nothing where it is not set.
std::string_view wantedTarget();

/// Whether OpenBLAS has kernels for the processor that are about as good as ours. One that does not
/// know a processor, as it is older, falls back to those of 2004, which are several times slower
/// than our tiles with AVX2.
bool openBlasKeepsUp();

/// What computes large products: "OpenBLAS 0.3.21 for Haswell", or our own kernels, and why.
std::string productsText(KernelSet set = KernelSet::Fastest);

/// An op with both sets of kernels: dispatch(set) makes it for the target that is chosen when it is
/// called. The initialization order of static objects is unspecified.
template <class Dispatch>
Op onTargets(const Dispatch& dispatch) {
  chooseTarget(KernelSet::Fixed);
  const Op fixed = dispatch(KernelSet::Fixed);
  chooseTarget(KernelSet::Fastest);
  Op op = dispatch(KernelSet::Fastest);
  op.fixed_single = fixed.single_precision;
  op.fixed_double = fixed.double_precision;
  return op;
}

}  // namespace tfm::cpu
