// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <cstdint>
#include <map>

#include "core/model/build_program.h"
#include "core/program/executor.h"

namespace tfm::train {

/// Least-recently-used cache of a model's executors, limited by memory. Not thread-safe.
template <class Real>
class ExecutorCache {
 public:
  struct Key {
    BatchShape shape;
    std::int64_t batch_sequences;  ///< of the whole batch
    bool training;
    bool numbers;  ///< ProgramOptions::numbers
    Submodel submodel;
    auto operator<=>(const Key&) const = default;
  };

  /// An executor that computes the loss, and its gradient if `key.training`. Valid until the next
  /// call.
  Executor<Real>& get(const ModelConfig& config, const Key& key, const Backend<Real>& backend);

  /// The maximum memory of the cache with executors of up to `largest` bytes each.
  static double maxBytes(double largest);

 private:
  struct Entry {
    Executor<Real> executor;
    std::int64_t bytes;
    std::int64_t used;  // number of the last call
  };
  void makeRoom(std::int64_t bytes);

  std::map<Key, Entry> entries_;
  std::int64_t bytes_ = 0;
  std::int64_t calls_ = 0;
};

}  // namespace tfm::train
