// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/trace_backend.h"

#include <algorithm>
#include <chrono>

namespace tfm {
namespace {

template <class Real>
std::int64_t bytesOf(const OpCall<Real>& call, bool backward) {
  std::int64_t numbers = 0, integers = 0;
  for (const auto& input : call.inputs) {
    numbers += input.values.size() + (backward ? input.gradient.sum.size() : 0);
    integers += std::int64_t(input.ids.size());
  }
  for (const auto& output : call.outputs)
    numbers += output.values.size() + (backward ? output.gradient.size() : 0);
  integers += std::int64_t(call.indices.size());
  return numbers * std::int64_t(sizeof(Real)) + integers * std::int64_t(sizeof(std::int32_t)) +
         std::int64_t(call.sums.size_bytes());
}

}  // namespace

template <class Real>
void TraceBackend<Real>::measure(const OpCall<Real>& call, bool backward) const {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  backward ? this->inner().backward(call) : this->inner().forward(call);
  if (paused_) return;
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  const std::lock_guard lock(mutex_);
  const std::string_view op = call.op->name;
  OpCost& sum = costs_.try_emplace({op, backward}, OpCost{op, backward}).first->second;
  ++sum.calls;
  sum.seconds += seconds;
  sum.flops += (backward ? 2 : 1) * call.op->template kernels<Real>().flops(call);
  sum.bytes += bytesOf(call, backward);
}

template <class Real>
void TraceBackend<Real>::forward(const OpCall<Real>& call) const {
  measure(call, false);
}

template <class Real>
void TraceBackend<Real>::backward(const OpCall<Real>& call) const {
  measure(call, true);
}

template <class Real>
std::vector<OpCost> TraceBackend<Real>::costs() const {
  std::vector<OpCost> all;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [key, cost] : costs_) all.push_back(cost);
  }
  std::ranges::stable_sort(all, std::ranges::greater(), &OpCost::seconds);
  return all;
}

template <class Real>
void TraceBackend<Real>::reset() {
  const std::lock_guard lock(mutex_);
  costs_.clear();
}

template class TraceBackend<float>;
template class TraceBackend<double>;

}  // namespace tfm
