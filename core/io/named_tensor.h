// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/element_type.h"

namespace tfm::io {

/// A tensor in a file: row-major, the last dimension contiguous.
struct NamedTensor {
  DType dtype = DType::F32;
  std::vector<std::int64_t> shape;  ///< outermost first; empty for a scalar
  std::vector<std::byte> bytes;     ///< elements x elementSize(dtype)
  bool operator==(const NamedTensor&) const = default;
};

/// Tensors by name, sorted.
using NamedTensors = std::map<std::string, NamedTensor>;

/// Bytes of a tensor of that shape; nullopt if a size is negative or the product overflows.
std::optional<std::int64_t> byteCount(DType dtype, std::span<const std::int64_t> shape);

/// A tensor with the element type of `values`, whose number must match `shape`.
NamedTensor makeTensor(std::vector<std::int64_t> shape, std::span<const double> values);
NamedTensor makeTensor(std::vector<std::int64_t> shape, std::span<const float> values);
NamedTensor makeTensor(std::vector<std::int64_t> shape, std::span<const std::int64_t> values);
NamedTensor makeTensor(std::vector<std::int64_t> shape, std::span<const std::int32_t> values);
NamedTensor makeTensor(std::vector<std::int64_t> shape, std::span<const std::uint8_t> values);

/// All elements, of any element type, rounded to float.
std::vector<float> floatValues(const NamedTensor& tensor);
/// All elements, of any element type; only I64 beyond 2^53 is rounded.
std::vector<double> doubleValues(const NamedTensor& tensor);
/// All elements of an integer or BOOL tensor. Throws Error naming `where` for other element types.
std::vector<std::int64_t> integerValues(const NamedTensor& tensor, const std::string& where);

}  // namespace tfm::io
