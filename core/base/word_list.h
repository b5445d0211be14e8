// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tfm {

/// "a", "a and b", "a, b and c", with `last` between the last two.
std::string wordList(std::span<const std::string> words, std::string_view last);

}  // namespace tfm
