// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <set>
#include <span>
#include <string>

#include "core/io/named_tensor.h"

namespace tfm::io {

enum class Compression { Stored, Deflated };

/// Default limit in bytes for both the file and its unpacked content.
inline constexpr std::uint64_t kMaxNpzBytes = std::uint64_t{1} << 32;

/// The bytes of a NumPy archive (.npz) of these arrays; equal content gives equal bytes. Throws
/// Error if a name is empty or not UTF-8; `where` names the archive in messages.
std::string npzBytes(const NamedTensors& tensors, Compression compression,
                     const std::string& where);

/// Writes npzBytes() with AtomicFile.
void writeNpz(const std::filesystem::path& path, const NamedTensors& tensors,
              Compression compression = Compression::Stored);

/// Parses a NumPy archive in memory. Throws Error naming `where` and the array unless it is a
/// readable ZIP archive of .npy files (see parseNpy()) with distinct names and at most `maxBytes`
/// in total. Of all arrays, or of those in `wanted` alone; what else is in the archive is then not
/// looked at. What macOS adds to archives never is.
NamedTensors parseNpz(std::span<const std::byte> file, const std::string& where,
                      std::uint64_t maxBytes = kMaxNpzBytes,
                      const std::set<std::string>& wanted = {});

/// Reads and parses a file. Throws the errors of readFile() and parseNpz(), and Error naming what
/// the file is if it is another archive (foreignFormat()).
NamedTensors readNpz(const std::filesystem::path& path, const std::set<std::string>& wanted = {});

}  // namespace tfm::io
