// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/stored_tensor.h"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "core/base/check.h"

namespace tfm::io {
namespace {

/// Bytes in memory that others hold.
class MemoryBytes final : public ByteSource {
 public:
  explicit MemoryBytes(std::span<const std::byte> bytes) : bytes_(bytes) {}
  std::uint64_t size() const override { return bytes_.size(); }
  void read(std::uint64_t begin, std::span<std::byte> to) const override {
    check(begin <= size() && to.size() <= size() - begin, "bytes of the tensor");
    std::ranges::copy(bytes_.subspan(begin, to.size()), to.begin());
  }

 private:
  std::span<const std::byte> bytes_;
};

}  // namespace

std::int64_t StoredTensor::size() const {
  std::int64_t count = 1;
  for (const std::int64_t length : shape) count *= length;
  return count;
}

template <class Real>
void StoredTensor::read(std::int64_t first, std::span<Real> to) const {
  if (paired_rows < 2) return readStored(first, to);
  const std::int64_t cols = shape.back(), half = paired_rows / 2;
  while (!to.empty()) {
    const std::int64_t row = first / cols, place = row % paired_rows;
    const std::int64_t stored = row - place + (place < half ? 2 * place : 2 * (place - half) + 1);
    const std::size_t count = std::min(to.size(), std::size_t(cols - first % cols));
    readStored(stored * cols + first % cols, to.first(count));
    to = to.subspan(count);
    first += std::int64_t(count);
  }
}

template <class Real>
void StoredTensor::readStored(std::int64_t first, std::span<Real> to) const {
  check(format != nullptr, "elements that can be read");
  check(first >= 0 && first + std::ssize(to) <= size(), "elements of the tensor");
  const std::size_t most = std::max<std::size_t>(1, (std::size_t{1} << 14) / format->elements);
  std::vector<std::byte> stored;
  std::vector<Real> values;
  while (!to.empty()) {
    const std::size_t block = std::size_t(first) / format->elements;
    const std::size_t inside = std::size_t(first) % format->elements;
    const std::size_t blocks =
        std::min(most, (inside + to.size() + format->elements - 1) / format->elements);
    const std::size_t count = std::min(to.size(), blocks * format->elements - inside);
    stored.resize(blocks * format->bytes);
    values.resize(blocks * format->elements);
    bytes->read(begin + block * format->bytes, stored);
    if constexpr (std::is_same_v<Real, float>)
      format->to_floats(stored.data(), blocks, values.data());
    else
      format->to_doubles(stored.data(), blocks, values.data());
    std::copy_n(values.begin() + std::ptrdiff_t(inside), count, to.begin());
    to = to.subspan(count);
    first += std::int64_t(count);
  }
}

template void StoredTensor::read(std::int64_t, std::span<float>) const;
template void StoredTensor::read(std::int64_t, std::span<double>) const;

StoredTensors storedTensors(const NamedTensors& tensors) {
  StoredTensors stored;
  for (const auto& [name, tensor] : tensors)
    stored[name] = {std::string(dtypeName(tensor.dtype)), &formatOf(tensor.dtype), tensor.shape,
                    std::make_shared<const MemoryBytes>(tensor.bytes)};
  return stored;
}

StoredTensor storedFloats(std::vector<std::int64_t> shape, std::span<const float> numbers) {
  return {"F32", &formatOf(DType::F32), std::move(shape),
          std::make_shared<const MemoryBytes>(std::as_bytes(numbers))};
}

}  // namespace tfm::io
