// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace tfm::cpu {

/// Settles once which of the instruction sets that kernels are compiled for is used: the best one
/// that this processor has, or the one named by the environment variable TFM_CPU (as Highway names
/// it: AVX3 for AVX-512, AVX2, SSE4, NEON, EMU128 for none). Returns its name.
std::string_view chooseTarget();

/// What TFM_CPU says; nothing where it is not set.
std::string_view wantedTarget();

/// What `dispatch` returns when the target has been chosen: objects with static storage are made in
/// no certain order.
template <class Dispatch>
auto onChosenTarget(const Dispatch& dispatch) {
  chooseTarget();
  return dispatch();
}

}  // namespace tfm::cpu
