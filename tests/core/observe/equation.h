// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <map>
#include <string>

namespace tfm::test {

/// The numbers that a printed one, or an expression of printed ones, may stand for.
struct Interval {
  double low = 0.0, high = 0.0;
};

/// Functions of one number, by the name that an equation calls them.
using Functions = std::map<std::string, std::function<double(double)>>;

/// Reads one side of an equation literally: "0.5 * (-2) + (3 more: 0.1)", "1 / (2 + 3)",
/// "largest of 2, 3", "gelu(0.5)". Every printed number stands for all that round to it. Throws
/// std::runtime_error for what cannot be read.
Interval valueOfText(const std::string& text, const Functions& functions);

/// Whether an equation "A = B" is true within its rounding.
bool isTrue(const std::string& equation, const Functions& functions);

}  // namespace tfm::test
