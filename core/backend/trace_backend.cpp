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
  return numbers * std::int64_t(sizeof(Real)) + integers * std::int64_t(sizeof(std::int32_t));
}

}  // namespace

template <class Real>
template <class Work>
void TraceBackend<Real>::measure(OpCost cost, const Work& work) const {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  work();
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  const std::lock_guard lock(mutex_);
  OpCost& sum =
      costs_.try_emplace({cost.op, cost.backward}, OpCost{cost.op, cost.backward}).first->second;
  ++sum.calls;
  sum.seconds += seconds;
  sum.flops += cost.flops;
  sum.bytes += cost.bytes;
}

template <class Real>
void TraceBackend<Real>::forward(const OpCall<Real>& call) const {
  const std::int64_t flops = call.op->template kernels<Real>().flops(call);
  measure({call.op->name, false, 1, 0.0, flops, bytesOf(call, false)},
          [&] { this->inner().forward(call); });
}

template <class Real>
void TraceBackend<Real>::backward(const OpCall<Real>& call) const {
  const std::int64_t flops = 2 * call.op->template kernels<Real>().flops(call);
  measure({call.op->name, true, 1, 0.0, flops, bytesOf(call, true)},
          [&] { this->inner().backward(call); });
}

template <class Real>
void TraceBackend<Real>::sgd(std::span<Real> parameters, std::span<const Real> gradients,
                             std::span<Real> momentum, const SgdRule& rule) const {
  measure({"sgd", false, 1, 0.0, 0, std::int64_t(3 * parameters.size_bytes())},
          [&] { this->inner().sgd(parameters, gradients, momentum, rule); });
}

template <class Real>
void TraceBackend<Real>::adam(std::span<Real> parameters, std::span<const Real> gradients,
                              std::span<Real> first_moment, std::span<Real> second_moment,
                              const AdamRule& rule) const {
  measure({"adam", false, 1, 0.0, 0, std::int64_t(4 * parameters.size_bytes())},
          [&] { this->inner().adam(parameters, gradients, first_moment, second_moment, rule); });
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
