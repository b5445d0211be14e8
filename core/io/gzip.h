// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tfm::io {

/// Whether bytes begin as a file that gzip has compressed.
bool isGzip(std::string_view bytes);

/// The content of such a file, which may have several parts. Throws Error naming `where` if it is
/// damaged, cut off, or has more than `maxBytes`; memory grows with the content that is there.
std::string gunzip(std::string_view bytes, std::uint64_t maxBytes, const std::string& where);

/// Up to `maxBytes` from its beginning; fewer where `bytes` end or are broken.
std::string gunzipBeginning(std::string_view bytes, std::size_t maxBytes);

}  // namespace tfm::io
