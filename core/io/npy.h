// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "core/io/named_tensor.h"

namespace tfm::io {

/// A NumPy array file (.npy, version 1.0) as bytes. BF16, which NumPy lacks, is widened to float32.
std::string npyBytes(const NamedTensor& tensor);

/// Parses a .npy file in memory. Throws Error naming `where` unless it is a C-ordered,
/// little-endian array of one of DType's types and has as many bytes as its shape says; pickled
/// objects are never read.
NamedTensor parseNpy(std::span<const std::byte> file, const std::string& where);

}  // namespace tfm::io
