// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>
#include <utility>
#include <vector>

namespace tfm {

/// A view of numbers that shares ownership of what holds them.
class SharedNumbers {
 public:
  SharedNumbers() = default;
  /// `owner` keeps `numbers` alive.
  SharedNumbers(std::shared_ptr<const void> owner, std::span<const float> numbers)
      : owner_(std::move(owner)), numbers_(numbers) {}
  /// Owns its numbers.
  SharedNumbers(std::vector<float> own) {
    const auto kept = std::make_shared<const std::vector<float>>(std::move(own));
    *this = SharedNumbers(kept, *kept);
  }

  /// So many zeros, which take no memory: the system gives pages when they are written.
  static SharedNumbers zeros(std::size_t count) {
    const std::shared_ptr<void> block(std::calloc(count, sizeof(float)), std::free);
    if (block == nullptr && count > 0) throw std::bad_alloc();
    return {block, {static_cast<const float*>(block.get()), count}};
  }

  operator std::span<const float>() const { return numbers_; }
  std::size_t size() const { return numbers_.size(); }
  const float* data() const { return numbers_.data(); }
  auto begin() const { return numbers_.begin(); }
  auto end() const { return numbers_.end(); }
  float operator[](std::size_t i) const { return numbers_[i]; }

 private:
  std::shared_ptr<const void> owner_;
  std::span<const float> numbers_;
};

}  // namespace tfm
