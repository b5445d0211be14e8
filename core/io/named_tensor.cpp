// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/named_tensor.h"

#include <utility>

#include "core/base/check.h"
#include "core/base/error.h"

namespace tfm::io {
namespace {

template <class Result>
std::vector<Result> values(const NamedTensor& tensor) {
  std::vector<Result> result(tensor.bytes.size() / std::size_t(elementSize(tensor.dtype)));
  convertElements(tensor.dtype, tensor.bytes.data(), result.size(), result.data());
  return result;
}

template <class T>
NamedTensor make(DType dtype, std::vector<std::int64_t> shape, std::span<const T> values) {
  const auto bytes = std::as_bytes(values);
  check(byteCount(dtype, shape) == static_cast<std::int64_t>(bytes.size()),
        "the number of values must match the shape");
  return {dtype, std::move(shape), {bytes.begin(), bytes.end()}};
}

}  // namespace

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
