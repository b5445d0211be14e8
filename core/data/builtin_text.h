// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace tfm::data {

/// A few thousand characters of simple English, written for this project, to train a language model
/// without a file. Only lowercase letters, space, comma, full stop and newline.
std::string_view builtinText();

}  // namespace tfm::data
