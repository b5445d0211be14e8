// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace tfm::io {

/// The kind of a file, judged by its content.
enum class FileKind {
  Tensors,  ///< .safetensors
  Archive,  ///< a ZIP archive, e.g. .npz
  Table,    ///< text with tabs in its first line, or commas or semicolons if named .csv
  Text,
  Folder,
  Other,  ///< other or unreadable
};

/// Reads the first 4 KiB, of a file compressed by gzip what they unpack to.
FileKind fileKind(const std::filesystem::path& path);

/// Whether `beginning` is UTF-8 without control characters other than white space; the last
/// character may be cut off. False if empty.
bool looksLikeText(std::string_view beginning);

/// Whether bytes begin as a .safetensors file.
bool looksLikeTensors(std::string_view bytes);

/// The complete lines within the first `max_bytes` bytes of a file (all of a shorter file),
/// which gzip may have compressed, as readTextFile() has them; empty if they cannot be read.
std::string firstLines(const std::filesystem::path& path, std::size_t max_bytes);

}  // namespace tfm::io
