// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace tfm::data {

/// Cleans a review as in the MatFormer notebook: lower case, "<br />" becomes a space, only a-z,
/// 0-9 and single spaces remain, none at the ends. Apostrophes are dropped: "don't" becomes "dont".
/// Throws Error if the text is not UTF-8.
std::string cleanText(std::string_view text);

}  // namespace tfm::data
