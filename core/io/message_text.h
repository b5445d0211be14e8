// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tfm::io {

/// At most `maxBytes` of `text`, cut between characters; "..." is appended if anything was cut.
std::string shortened(std::string_view text, std::size_t maxBytes);

/// A name from a file for an error message: in double quotes, shortened, control characters as
/// \xNN.
std::string inQuotes(std::string_view name);

}  // namespace tfm::io
