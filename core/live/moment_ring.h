// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/document/window_state.h"

namespace tfm::train {

/// Keeps states of a training within a memory budget. When full it is thinned out: gaps grow with
/// the distance from both ends, as the beginning and the present are of most interest.
class MomentRing {
 public:
  explicit MomentRing(std::int64_t budget_bytes = std::int64_t{256} << 20,
                      std::size_t max_moments = 400);

  /// Whether a moment is later than all others, or the last one again.
  bool isNext(const Moment& moment) const;
  /// Adds a moment for which isNext() holds. The last one again replaces it.
  void add(Moment moment);
  /// Removes and returns moments later than `step` or after more than `events` events.
  std::vector<Moment> takeAfter(std::int64_t step, std::int64_t events);

  /// In chronological order.
  const std::vector<Moment>& moments() const { return moments_; }
  std::int64_t bytes() const { return bytes_; }

 private:
  void thin();
  std::size_t leastValuable() const;
  void remove(std::size_t index);

  std::int64_t budget_;
  std::size_t most_;
  std::int64_t bytes_ = 0;
  std::vector<Moment> moments_;
};

/// At most this many moments are kept in a document, and usually in this many bytes with the pins.
inline constexpr std::size_t kMostKeptMoments = 40;
inline constexpr std::int64_t kUsualKeptBytes = std::int64_t{16} << 20;

/// Thins out the moments to what a ring with at most kMostKeptMoments and with the memory that the
/// pins leave keeps. The shown moment and the pins stay; with 0 bytes none does.
void thin(WindowState& window, std::int64_t budget_bytes);

}  // namespace tfm::train
