// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace tfm::io {

/// What a file looks like, whatever its name promises.
enum class FileKind {
  Tensors,  ///< .safetensors
  Archive,  ///< a ZIP archive, as .npz is one
  Table,    ///< text with tabs in its first line, or named .csv with commas there
  Text,
  Folder,
  Other,  ///< or nothing that can be read
};

/// Looks at the first 4 KiB.
FileKind fileKind(const std::filesystem::path& path);

/// Whether bytes read as UTF-8 without control characters other than white space; the last
/// character may be cut off. Not for none.
bool looksLikeText(std::string_view beginning);

/// At most so many first bytes of a file, without the line that they end in where they are not all;
/// empty where it cannot be read.
std::string firstLines(const std::filesystem::path& path, std::size_t most_bytes);

}  // namespace tfm::io
