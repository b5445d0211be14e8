// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/named_tensor.h"

#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include "core/base/check.h"
#include "core/base/error.h"

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
template <class Stored, class Result, class Convert>
std::vector<Result> mapped(const NamedTensor& tensor, Convert convert) {
  std::vector<Result> result(tensor.bytes.size() / sizeof(Stored));
  for (std::size_t i = 0; i < result.size(); ++i) {
    Stored value;
    std::memcpy(&value, tensor.bytes.data() + i * sizeof(Stored), sizeof(Stored));
    result[i] = static_cast<Result>(convert(value));
  }
  return result;
}

template <class Result>
std::vector<Result> values(const NamedTensor& tensor) {
  const auto same = [](auto value) { return value; };
  switch (tensor.dtype) {
    case DType::F64:
      return mapped<double, Result>(tensor, same);
    case DType::F32:
      return mapped<float, Result>(tensor, same);
    case DType::F16:
      return mapped<std::uint16_t, Result>(tensor, fromFloat16);
    case DType::BF16:
      return mapped<std::uint16_t, Result>(tensor, fromBFloat16);
    case DType::I64:
      return mapped<std::int64_t, Result>(tensor, same);
    case DType::I32:
      return mapped<std::int32_t, Result>(tensor, same);
    case DType::U8:
      return mapped<std::uint8_t, Result>(tensor, same);
    case DType::Bool:
      return mapped<std::uint8_t, Result>(tensor, [](std::uint8_t value) { return value != 0; });
  }
  return {};
}

template <class T>
NamedTensor make(DType dtype, std::vector<std::int64_t> shape, std::span<const T> values) {
  const auto bytes = std::as_bytes(values);
  check(byteCount(dtype, shape) == static_cast<std::int64_t>(bytes.size()),
        "the number of values must match the shape");
  return {dtype, std::move(shape), {bytes.begin(), bytes.end()}};
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

std::optional<std::int64_t> byteCount(DType dtype, std::span<const std::int64_t> shape) {
  std::int64_t count = elementSize(dtype);
  for (const std::int64_t size : shape) {
    if (size < 0 || __builtin_mul_overflow(count, size, &count)) return std::nullopt;
  }
  return count;
}

NamedTensor makeTensor(std::vector<std::int64_t> shape, std::span<const double> values) {
  return make(DType::F64, std::move(shape), values);
}

NamedTensor makeTensor(std::vector<std::int64_t> shape, std::span<const float> values) {
  return make(DType::F32, std::move(shape), values);
}

NamedTensor makeTensor(std::vector<std::int64_t> shape, std::span<const std::int64_t> values) {
  return make(DType::I64, std::move(shape), values);
}

NamedTensor makeTensor(std::vector<std::int64_t> shape, std::span<const std::int32_t> values) {
  return make(DType::I32, std::move(shape), values);
}

NamedTensor makeTensor(std::vector<std::int64_t> shape, std::span<const std::uint8_t> values) {
  return make(DType::U8, std::move(shape), values);
}

std::vector<float> floatValues(const NamedTensor& tensor) { return values<float>(tensor); }

std::vector<double> doubleValues(const NamedTensor& tensor) { return values<double>(tensor); }

std::vector<std::int64_t> integerValues(const NamedTensor& tensor, const std::string& where) {
  switch (tensor.dtype) {
    case DType::I64:
    case DType::I32:
    case DType::U8:
    case DType::Bool:
      return values<std::int64_t>(tensor);
    default:
      throw Error("the elements are " + std::string(dtypeName(tensor.dtype)) +
                      ", expected whole numbers (I64, I32, U8 or BOOL)",
                  where, "Convert them or choose another file");
  }
}

}  // namespace tfm::io
