// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tfm::io {

/// The element types of files; little-endian in memory and in files.
enum class DType { F64, F32, F16, BF16, I64, I32, U8, Bool };

/// Bytes of one element.
std::int64_t elementSize(DType dtype);
/// The name in safetensors, e.g. "F32" or "BOOL".
std::string_view dtypeName(DType dtype);
/// The type with that name, or nullopt.
std::optional<DType> dtypeNamed(std::string_view name);
/// All names, for messages: "F64, F32, ...".
std::string dtypeNames();
/// Whether it is of real numbers, as weights are.
bool isReal(DType dtype);

/// Elements from their bytes. Number: float, rounded; double, exact but for I64 beyond 2^53; or
/// std::int64_t, for whole numbers.
template <class Number>
void convertElements(DType dtype, const std::byte* from, std::size_t count, Number* to);

}  // namespace tfm::io
