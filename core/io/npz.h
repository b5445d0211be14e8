// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "core/io/named_tensor.h"

namespace tfm::io {

enum class Compression { Stored, Deflated };

/// The most bytes, file or unpacked content, that are read unless the caller says otherwise.
inline constexpr std::uint64_t kMaxNpzBytes = std::uint64_t{1} << 32;

/// The bytes of a NumPy archive (.npz) of these arrays; the same content gives the same bytes.
/// Throws Error where a name is empty or not UTF-8; `where` names the archive in messages.
std::string npzBytes(const NamedTensors& tensors, Compression compression,
                     const std::string& where);

/// Writes npzBytes() whole or not at all.
void writeNpz(const std::filesystem::path& path, const NamedTensors& tensors,
              Compression compression = Compression::Stored);

/// Parses a NumPy archive in memory. Throws Error naming `where` and the array for anything but a
/// readable zip of .npy files with distinct names (see parseNpy()) that unpack to at most
/// `maxBytes` in all.
NamedTensors parseNpz(std::span<const std::byte> file, const std::string& where,
                      std::uint64_t maxBytes = kMaxNpzBytes);

/// parseNpz() of a file; readFile()'s errors too.
NamedTensors readNpz(const std::filesystem::path& path);

}  // namespace tfm::io
