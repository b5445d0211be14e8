// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/element_type.h"

#include <array>
#include <bit>
#include <cstring>

namespace tfm::io {
namespace {

static_assert(std::endian::native == std::endian::little, "files and memory are little-endian");

struct DTypeRow {
  DType dtype;
  std::string_view name;
  std::int64_t size;
};

constexpr std::array kDTypes{
    DTypeRow{DType::F64, "F64", 8}, DTypeRow{DType::F32, "F32", 4},
    DTypeRow{DType::F16, "F16", 2}, DTypeRow{DType::BF16, "BF16", 2},
    DTypeRow{DType::I64, "I64", 8}, DTypeRow{DType::I32, "I32", 4},
    DTypeRow{DType::U8, "U8", 1},   DTypeRow{DType::Bool, "BOOL", 1},
};

const DTypeRow& rowOf(DType dtype) { return kDTypes.at(static_cast<std::size_t>(dtype)); }

float fromBFloat16(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

/// IEEE 754 binary16: 1 sign, 5 exponent and 10 fraction bits.
float fromFloat16(std::uint16_t bits) {
  const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000) << 16;
  const std::uint32_t rest = bits & 0x7FFF;
  if (rest >= 0x7C00)  // infinity and NaN keep an exponent of all ones
    return std::bit_cast<float>(sign | 0x7F800000 | (rest & 0x3FF) << 13);
  if (rest < 0x400) {  // subnormal: fraction x 2^-24
    const float magnitude = static_cast<float>(rest) * 0x1p-24F;
    return sign != 0 ? -magnitude : magnitude;
  }
  // The exponent's bias grows from 15 to 127.
  return std::bit_cast<float>(sign | ((rest << 13) + (112U << 23)));
}

/// The elements, stored as `Stored`, through `convert`.
template <class Stored, class Number, class Convert>
void mapped(const std::byte* from, std::size_t count, Number* to, Convert convert) {
  for (std::size_t i = 0; i < count; ++i) {
    Stored value;
    std::memcpy(&value, from + i * sizeof(Stored), sizeof(Stored));
    to[i] = static_cast<Number>(convert(value));
  }
}

}  // namespace

std::int64_t elementSize(DType dtype) { return rowOf(dtype).size; }

std::string_view dtypeName(DType dtype) { return rowOf(dtype).name; }

std::optional<DType> dtypeNamed(std::string_view name) {
  for (const DTypeRow& row : kDTypes) {
    if (row.name == name) return row.dtype;
  }
  return std::nullopt;
}

std::string dtypeNames() {
  std::string text;
  for (const DTypeRow& row : kDTypes) {
    if (!text.empty()) text += ", ";
    text += row.name;
  }
  return text;
}

bool isReal(DType dtype) {
  return dtype == DType::F64 || dtype == DType::F32 || dtype == DType::F16 || dtype == DType::BF16;
}

template <class Number>
void convertElements(DType dtype, const std::byte* from, std::size_t count, Number* to) {
  const auto same = [](auto value) { return value; };
  switch (dtype) {
    case DType::F64:
      return mapped<double>(from, count, to, same);
    case DType::F32:
      return mapped<float>(from, count, to, same);
    case DType::F16:
      return mapped<std::uint16_t>(from, count, to, fromFloat16);
    case DType::BF16:
      return mapped<std::uint16_t>(from, count, to, fromBFloat16);
    case DType::I64:
      return mapped<std::int64_t>(from, count, to, same);
    case DType::I32:
      return mapped<std::int32_t>(from, count, to, same);
    case DType::U8:
      return mapped<std::uint8_t>(from, count, to, same);
    case DType::Bool:
      return mapped<std::uint8_t>(from, count, to, [](std::uint8_t value) { return value != 0; });
  }
}

template void convertElements(DType, const std::byte*, std::size_t, float*);
template void convertElements(DType, const std::byte*, std::size_t, double*);
template void convertElements(DType, const std::byte*, std::size_t, std::int64_t*);

}  // namespace tfm::io
