// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace tfm::io {

struct TensorFile;

/// XXH3 of 64 bits: tells damage, as fast as memory is read; no protection against forgers.
std::uint64_t checksum(std::span<const std::byte> bytes);

/// Puts a checksum of each tensor's bytes and of each metadata text into the metadata, as JSON
/// under "checksums": {"algorithm": "xxh3-64", "tensors": {NAME: HEX}, "metadata": {KEY: HEX}}.
void addChecksums(TensorFile& file);

/// Throws Error naming the first tensor or metadata text that addChecksums() saw otherwise. A file
/// without checksums passes.
void requireChecksums(const TensorFile& file, const std::string& where);

}  // namespace tfm::io
