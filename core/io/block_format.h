// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string_view>

#include "core/io/element_type.h"

namespace tfm::io {

/// How the elements of a tensor are stored: alone, or in blocks that share a scale, as GGUF files
/// have them. A block never spans rows.
struct BlockFormat {
  std::string_view name;     ///< "F32", "Q4_1"
  std::size_t elements = 1;  ///< of a block
  std::size_t bytes = 0;     ///< of a block
  bool real = true;          ///< real numbers, as weights are
  void (*to_floats)(const std::byte* from, std::size_t blocks, float* to) = nullptr;
  void (*to_doubles)(const std::byte* from, std::size_t blocks, double* to) = nullptr;
};

/// That of single elements.
const BlockFormat& formatOf(DType dtype);
/// The quantized formats of ggml (its documentation and source, ggml-quants.c), with d and m of 16
/// bits and the low nibbles of 16 bytes before the high ones: Q8_0: 32 values d q; Q4_0: 32 values
/// d (q - 8); Q4_1: 32 values d q + m. nullptr for another name.
const BlockFormat* quantizedFormat(std::string_view name);

}  // namespace tfm::io
