// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/model/model_state.h"

namespace tfm::train {

/// A saved state of a training.
struct Moment {
  std::shared_ptr<const ModelState> state;
  /// Number of events in the history: distinguishes states before and after a change at one step.
  std::int64_t events = 0;
  /// The first state, or one right before or after a change: removed last.
  bool landmark = false;

  std::int64_t step() const { return state->step; }
};

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

}  // namespace tfm::train
