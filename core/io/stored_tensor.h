// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/io/block_format.h"
#include "core/io/byte_source.h"
#include "core/io/named_tensor.h"

namespace tfm::io {

/// A tensor in a file, of which nothing is in memory until it is read.
struct StoredTensor {
  std::string type;                     ///< of its elements, as in the file: "F32"
  const BlockFormat* format = nullptr;  ///< of its elements; null: they cannot be read
  std::vector<std::int64_t> shape;      ///< outermost first; row-major
  std::shared_ptr<const ByteSource> bytes;
  std::uint64_t begin = 0;  ///< of its first element

  /// Heads of so many rows are stored with the rows i and i + n / 2 as neighbours, 2 i and 2 i + 1;
  /// they are read in the order i. 0: rows are stored as they are read.
  std::int64_t paired_rows = 0;

  std::int64_t size() const;
  /// Elements from number `first` on. Throws Error if they cannot be read. Real: float or double.
  template <class Real>
  void read(std::int64_t first, std::span<Real> to) const;
  /// All its bytes as they are stored, part by part: visit(std::span<const std::byte>).
  template <class Visit>
  void overBytes(const Visit& visit) const {
    std::vector<std::byte> part(std::size_t{1} << 20);
    std::uint64_t left = std::uint64_t(size()) / format->elements * format->bytes;
    for (std::uint64_t at = begin; left > 0;) {
      const auto here = std::span(part).first(std::min<std::uint64_t>(left, part.size()));
      bytes->read(at, here);
      visit(std::span<const std::byte>(here));
      at += here.size();
      left -= here.size();
    }
  }
  bool operator==(const StoredTensor&) const = default;

 private:
  template <class Real>
  void readStored(std::int64_t first, std::span<Real> to) const;
};

/// Tensors by name, sorted.
using StoredTensors = std::map<std::string, StoredTensor>;

/// Tensors in memory, which must outlive the result.
StoredTensors storedTensors(const NamedTensors& tensors);
/// Numbers in memory, which must outlive the result.
StoredTensor storedFloats(std::vector<std::int64_t> shape, std::span<const float> numbers);

}  // namespace tfm::io
