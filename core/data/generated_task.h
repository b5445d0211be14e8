// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/data/task.h"
#include "core/tensor/random.h"

namespace tfm::data {

/// A question and what decides its side of the split.
struct Draw {
  Ids source;
  /// Two questions with the same key are on the same side. Empty: the question is its own key.
  Ids key;
  /// The number of different questions of this shape (e.g. this length).
  double space = 0;
};

/// The random numbers of one example. content() depends on `attempt`, shape() does not.
class Draws {
 public:
  Draws(const Random& random, std::uint64_t attempt) : random_(random), attempt_(attempt) {}

  /// Uniform in [0, bound), the same for every attempt: for the shape of an example, whose
  /// distribution must not depend on the split. index < 2^8.
  std::int64_t shape(std::uint64_t index, std::int64_t bound) const {
    return random_.integer(index, bound);
  }
  /// Uniform in [0, bound), new for every attempt. index < 2^24.
  std::int64_t content(std::uint64_t index, std::int64_t bound) const {
    return random_.integer((attempt_ + 1) << 24 | index, bound);
  }

 private:
  const Random& random_;
  std::uint64_t attempt_;
};

/// A task with generated examples. A hash of the question decides whether it is for training or
/// evaluation, so that the sides never overlap, whatever the seeds: a question on the wrong side is
/// drawn again with the same shape. If there are fewer than kSmallestDivided different questions of
/// a shape (words of one or two letters), both sides share them.
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
