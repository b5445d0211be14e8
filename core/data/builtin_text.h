// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace tfm::data {

/// A few thousand characters of simple English, written for this project, so that a language model
/// has something to learn without any file. Small letters, space, comma, full stop and newline
/// only.
std::string_view builtinText();

}  // namespace tfm::data
