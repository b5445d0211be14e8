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
#include "core/io/stored_tensor.h"

namespace tfm::io {

/// The content of a .safetensors file.
struct TensorFile {
  NamedTensors tensors;
  std::map<std::string, std::string> metadata;
  /// Large tensors of floats that are where they are, see Large; of no name in `tensors`.
  StoredTensors stored = {};
  /// Tensors whose elements are of a type that is not read, which the header names.
  std::map<std::string, std::string> unread = {};
  bool operator==(const TensorFile&) const = default;
};

/// Floats that stay in place are at least so many bytes.
inline constexpr std::uint64_t kLargeTensor = 1 << 16;

/// The longest JSON header read or written, as in the reference implementation.
inline constexpr std::uint64_t kMaxSafetensorsHeader = 100'000'000;
/// The longest file read.
inline constexpr std::uint64_t kMaxSafetensorsBytes = std::uint64_t{1} << 34;

/// Parses a whole file in memory: u64 header length, JSON header, tensor data. Throws Error naming
/// `where` and the tensor unless the header is valid, every tensor of a known dtype has a size that
/// matches its shape, and the tensors fill the data without gaps or overlaps.
TensorFile parseSafetensors(std::span<const std::byte> file, const std::string& where);

/// Whether tensors of many floats are copied, or stay in their file or memory.
enum class Large { Copied, InPlace };

/// Reads and parses a file. Throws the errors of readFile() and parseSafetensors().
TensorFile readSafetensors(const std::filesystem::path& path, Large large = Large::Copied);

/// The tensors of a file, which is read when they are; only its header is read now. Throws the
/// errors of RegularFile and parseSafetensors(), whatever the size of the file.
StoredTensors openSafetensors(const std::filesystem::path& path);

/// Throws the errors of writeSafetensors() that do not depend on the disk.
void requireWritable(const TensorFile& file, const std::string& where);

/// The bytes of a file: tensors with larger elements first, so that each is aligned, then by name;
/// the metadata come first, of these "format"; equal content gives equal bytes. Throws Error naming
/// `where` if a name is not UTF-8, or names and metadata are too long for the format.
std::string safetensorsBytes(const TensorFile& file, const std::string& where);

/// Writes the same bytes with AtomicFile. Returns the identity of the new file. Throws Error, also
/// if the file cannot be written, and FileReplaced if `path` is no longer the `known` file.
FileIdentity writeSafetensors(const std::filesystem::path& path, const TensorFile& file,
                              const std::optional<FileIdentity>& known = {});

}  // namespace tfm::io
