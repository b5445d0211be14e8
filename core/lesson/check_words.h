// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <string_view>

namespace tfm::lesson {

/// The words of slots with few choices.
inline constexpr std::array<std::string_view, 3> kAttentions{
    "cross-attention", "encoder self-attention", "decoder self-attention"};
inline constexpr std::array<std::string_view, 4> kStages{"scores", "scaled", "masked", "softmax"};
inline constexpr std::array<std::string_view, 2> kPins{"A", "B"};

}  // namespace tfm::lesson
