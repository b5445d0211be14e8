// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/model/model_state.h"

namespace tfm::train {

/// A kept state of a training.
struct Moment {
  std::shared_ptr<const ModelState> state;
  /// Events of the history at that time: tells what was before and after a change at one step.
  std::int64_t events = 0;
  /// The first state, or one right before or after a change: kept as long as others can go.
  bool landmark = false;

  std::int64_t step() const { return state->step; }
};

/// Keeps states of a training within a memory budget. As it fills up it is thinned: gaps grow with
/// the distance from both ends, since most happens at the beginning and most is asked about now.
class MomentRing {
 public:
  explicit MomentRing(std::int64_t budget_bytes = std::int64_t{256} << 20,
                      std::size_t most_moments = 400);

  /// Whether a moment is later than all kept ones, or the last one again.
  bool isNext(const Moment& moment) const;
  /// A moment that is next. The last one again replaces it.
  void add(Moment moment);
  /// Gives away moments later than `step` and those after more than `events` events.
  std::vector<Moment> takeAfter(std::int64_t step, std::int64_t events);
  void setBudget(std::int64_t bytes);

  /// In the order of time.
  const std::vector<Moment>& moments() const { return moments_; }
  std::int64_t bytes() const { return bytes_; }

 private:
  void thin();
  std::size_t leastMissed() const;
  void remove(std::size_t index);

  std::int64_t budget_;
  std::size_t most_;
  std::int64_t bytes_ = 0;
  std::vector<Moment> moments_;
};

}  // namespace tfm::train
