// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace tfm::io {

/// Bytes as text (RFC 4648, section 4, with padding), and back. fromBase64() throws Error naming
/// `where` for a text that is none.
std::string toBase64(std::string_view bytes);
std::string fromBase64(std::string_view text, const std::string& where);

}  // namespace tfm::io
