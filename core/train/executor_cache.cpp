// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/executor_cache.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace tfm::train {
namespace {

// Fits several sequence lengths and all granularities of a small model; for a large one, the
// minimum is what a step and an evaluation need.
constexpr std::int64_t kBytes = std::int64_t{256} << 20;
constexpr std::size_t kMin = 4;

}  // namespace

template <class Real>
Executor<Real>& ExecutorCache<Real>::get(const ModelConfig& config, const Key& key,
                                         const Backend<Real>& backend) {
  ++calls_;
  if (const auto found = entries_.find(key); found != entries_.end()) {
    found->second.used = calls_;
    return found->second.executor;
  }
  ProgramOptions options;
  options.training = key.training;
  options.loss = true;
  options.watched = backend.keepsAll();
  options.numbers = key.numbers;
  options.batch_sequences = key.batch_sequences;
  options.submodel = key.submodel;
  auto program = std::make_shared<const Program>(buildProgram(config, key.shape, options));
  const std::int64_t bytes = program->memoryBytes(sizeof(Real), key.training);
  makeRoom(bytes);
  Executor<Real> executor(std::move(program), backend, key.training);
  bytes_ += bytes;
  return entries_.emplace(key, Entry{std::move(executor), bytes, calls_}).first->second.executor;
}

template <class Real>
double ExecutorCache<Real>::maxBytes(double largest) {
  return std::max(double(kBytes), double(kMin) * largest);
}

template <class Real>
void ExecutorCache<Real>::makeRoom(std::int64_t bytes) {
  const auto older = [](const auto& a, const auto& b) { return a.second.used < b.second.used; };
  while (bytes_ + bytes > kBytes && entries_.size() >= kMin) {
    const auto oldest = std::min_element(entries_.begin(), entries_.end(), older);
    bytes_ -= oldest->second.bytes;
    entries_.erase(oldest);
  }
}

template class ExecutorCache<float>;
template class ExecutorCache<double>;

}  // namespace tfm::train
