// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/data/task.h"
#include "core/tensor/random.h"

namespace tfm::data {

/// A question with what decides its side.
struct Draw {
  Ids source;
  /// Two questions with the same key are on the same side. Empty: the question is its own key.
  Ids key;
  /// How many different questions could have been drawn with this shape (e.g. this length).
  double space = 0;
};

/// The random numbers of one example; `attempt` changes those that may be drawn again.
class Draws {
 public:
  Draws(const Random& random, std::uint64_t attempt) : random_(random), attempt_(attempt) {}

  /// Uniform in [0, bound), the same at every attempt: for the shape of an example, whose
  /// distribution the split must not change. index < 2^8.
  std::int64_t shape(std::uint64_t index, std::int64_t bound) const {
    return random_.integer(index, bound);
  }
  /// Uniform in [0, bound), new at every attempt. index < 2^24.
  std::int64_t content(std::uint64_t index, std::int64_t bound) const {
    return random_.integer((attempt_ + 1) << 24 | index, bound);
  }

 private:
  const Random& random_;
  std::uint64_t attempt_;
};

/// A task whose examples are made as they are needed. Whether one is for training or evaluation is
/// decided by a hash of the question itself, so that the sides never meet, whatever the seeds: a
/// question that falls on the wrong side is drawn again with the same shape. Where fewer than
/// kSmallestDivided different questions exist to choose from (words of one or two letters), both
/// sides share them all.
class GeneratedTask : public Task {
 public:
  static constexpr double kSmallestDivided = 1000;

  Example example(Split split, std::uint64_t seed, std::uint64_t index) const final;

 protected:
  using Task::Task;

  virtual Draw draw(const Draws& draws) const = 0;
  /// The answer to a question.
  virtual Ids solve(const Ids& source) const = 0;
};

}  // namespace tfm::data
