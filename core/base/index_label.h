// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace tfm {

/// The label of a row, column, position, head, layer or answer on a screen and in a sentence: they
/// count from 1. Names of tensors, NAME[...], options and JSON have the index itself, which counts
/// from 0.
constexpr std::int64_t labelOf(std::int64_t index) { return index + 1; }

}  // namespace tfm
