// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace tfm::io {

struct TensorFile;

/// 64-bit XXH3: detects damage at memory speed, but is not cryptographic.
std::uint64_t checksum(std::span<const std::byte> bytes);

/// Adds a checksum of each tensor and each metadata text to the metadata, as JSON under
/// "checksums": {"algorithm": "xxh3-64", "tensors": {NAME: HEX}, "metadata": {KEY: HEX}}.
void addChecksums(TensorFile& file);

/// Throws Error naming the first tensor or metadata text that differs from its checksum. A file
/// without checksums passes.
void requireChecksums(const TensorFile& file, const std::string& where);

}  // namespace tfm::io
