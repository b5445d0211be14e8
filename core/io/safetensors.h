// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>

#include "core/io/file_identity.h"
#include "core/io/named_tensor.h"

namespace tfm::io {

/// What a .safetensors file holds.
struct TensorFile {
  NamedTensors tensors;
  std::map<std::string, std::string> metadata;
  bool operator==(const TensorFile&) const = default;
};

/// The longest JSON header that is read or written, as in the reference implementation.
inline constexpr std::uint64_t kMaxSafetensorsHeader = 100'000'000;
/// The longest file that is read.
inline constexpr std::uint64_t kMaxSafetensorsBytes = std::uint64_t{1} << 34;

/// Parses a whole file in memory: u64 header length, JSON header, tensor data. Throws Error naming
/// `where` and the tensor unless the header is well-formed JSON of the format's form, every tensor
/// has a known dtype and as many bytes as its shape says, and the tensors fill the data without gap
/// or overlap.
TensorFile parseSafetensors(std::span<const std::byte> file, const std::string& where);

/// parseSafetensors() of a file; readFile()'s errors too.
TensorFile readSafetensors(const std::filesystem::path& path);

/// Throws the Errors of writeSafetensors() that do not depend on the disk.
void requireWritable(const TensorFile& file, const std::string& where);

/// Writes a file whole or not at all: tensors of larger elements first so that each is aligned,
/// then by name; the same content gives the same bytes. Throws Error where the file cannot be
/// written, a name is not UTF-8, or names and metadata are longer than the format allows, and
/// FileReplaced where `path` is no longer the `known` file. Gives the new file's identity.
FileIdentity writeSafetensors(const std::filesystem::path& path, const TensorFile& file,
                              const std::optional<FileIdentity>& known = {});

}  // namespace tfm::io
