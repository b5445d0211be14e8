// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace tfm::fuzz {

/// `input` in one line: printable ASCII as it is, all other bytes and the backslash as \xNN.
std::string escaped(const std::string& input);

/// Inputs that an earlier search found to reach different code, one escaped() input a line; none
/// where there is no such file. They need not be valid.
std::vector<std::string> corpus(const char* file);

}  // namespace tfm::fuzz
