// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace tfm::data {

/// The random streams of this folder (see Random), kept here so that no two uses share one.
inline constexpr std::uint32_t kTrainingStream = 0xDA0001;     ///< step = number of the example
inline constexpr std::uint32_t kEvaluationStream = 0xDA0002;   ///< step = number of the example
inline constexpr std::uint32_t kPermutationStream = 0xDA0003;  ///< step = epoch
inline constexpr std::uint32_t kWindowStream = 0xDA0004;       ///< step = first of the window
inline constexpr std::uint32_t kFactStream = 0xDA0005;  ///< step 0: the facts, 1: their order

}  // namespace tfm::data
