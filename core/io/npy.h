// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "core/io/named_tensor.h"

namespace tfm::io {

/// The bytes of a NumPy array file (.npy, version 1.0). BF16, which NumPy lacks, becomes float32.
std::string npyBytes(const NamedTensor& tensor);

/// Parses a .npy file in memory. Throws Error naming `where` unless it is a C-ordered,
/// little-endian array of a DType whose size matches its shape. Pickled objects are never read.
NamedTensor parseNpy(std::span<const std::byte> file, const std::string& where);

}  // namespace tfm::io
