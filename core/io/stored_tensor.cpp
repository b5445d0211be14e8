// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/stored_tensor.h"

#include <algorithm>
#include <array>

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
  check(dtype.has_value(), "elements that can be read");
  check(first >= 0 && first + std::ssize(to) <= size(), "elements of the tensor");
  constexpr std::size_t kElements = 1 << 14;
  const auto element = std::size_t(elementSize(*dtype));
  std::vector<std::byte> part(std::min(kElements, to.size()) * element);
  for (std::size_t done = 0; done < to.size();) {
    const std::size_t count = std::min(kElements, to.size() - done);
    const std::span<std::byte> here = std::span(part).first(count * element);
    bytes->read(begin + (std::uint64_t(first) + done) * element, here);
    convertElements(*dtype, here.data(), count, to.data() + done);
    done += count;
  }
}

template void StoredTensor::read(std::int64_t, std::span<float>) const;
template void StoredTensor::read(std::int64_t, std::span<double>) const;

StoredTensors storedTensors(const NamedTensors& tensors) {
  StoredTensors stored;
  for (const auto& [name, tensor] : tensors)
    stored[name] = {std::string(dtypeName(tensor.dtype)), tensor.dtype, tensor.shape,
                    std::make_shared<const MemoryBytes>(tensor.bytes)};
  return stored;
}

}  // namespace tfm::io
