// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace tfm::cpu {

/// Chooses, once, the instruction set of the kernels and returns its name: the best one that this
/// processor supports, or the one in the environment variable TFM_CPU (Highway's names: AVX3 for
/// AVX-512, AVX2, SSE4, NEON, EMU128 for none).
std::string_view chooseTarget();

/// Returns dispatch() after choosing the target: the initialization order of static objects is
/// unspecified.
template <class Dispatch>
auto onChosenTarget(const Dispatch& dispatch) {
  chooseTarget();
  return dispatch();
}

}  // namespace tfm::cpu
