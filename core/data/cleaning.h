// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace tfm::data {

/// A review as the MatFormer notebook cleans it: lower case, "<br />" as a space, nothing but a-z,
/// 0-9 and single spaces, none at the ends. An apostrophe leaves no gap: "don't" becomes "dont".
/// Throws Error for text that is not UTF-8.
std::string cleanText(std::string_view text);

}  // namespace tfm::data
