// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/check_backend.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/tensor/aligned_vector.h"

namespace tfm {
namespace {

/// A matrix of the tested backend's own, beside one of the reference's.
template <class Real>
class Twin {
 public:
  /// Begins with the numbers of `original`, or with none that mean anything.
  Twin(MatrixView<Real> original, bool copied)
      : original_(original),
        memory_(std::size_t(original.size()), std::numeric_limits<Real>::quiet_NaN()) {
    if (!copied) return;
    for (std::int64_t r = 0; r < original.rows; ++r)
      std::copy_n(original.row(r), original.cols, view().row(r));
  }

  MatrixView<Real> view() {
    if (!original_) return {};
    return {memory_.data(), original_.rows, original_.cols};
  }
  /// See OpDifference.
  double difference() {
    double worst = 0.0, largest = 1.0;
    for (std::int64_t r = 0; r < original_.rows; ++r)
      for (std::int64_t c = 0; c < original_.cols; ++c) {
        const auto expected = double(original_.at(r, c)), got = double(view().at(r, c));
        if (std::isfinite(expected)) largest = std::max(largest, std::abs(expected));
        if (expected == got || (std::isnan(expected) && std::isnan(got))) continue;
        const double off = std::abs(expected - got);
        worst = std::max(worst, std::isfinite(off) ? off : std::numeric_limits<double>::infinity());
      }
    return worst / largest;
  }

 private:
  MatrixView<Real> original_;
  AlignedVector<Real> memory_;
};

template <class Real>
double worstOf(std::vector<Twin<Real>>& twins) {
  double worst = 0.0;
  for (Twin<Real>& twin : twins) worst = std::max(worst, twin.difference());
  return worst;
}

template <class Real>
Twin<Real> twinOf(std::span<Real> range) {
  return {{range.data(), 1, std::int64_t(range.size())}, true};
}
template <class Real>
std::span<Real> rangeOf(Twin<Real>& twin) {
  return {twin.view().data, std::size_t(twin.view().size())};
}

}  // namespace

template <class Real>
void CheckBackend<Real>::forward(const OpCall<Real>& call) const {
  OpCall<Real> other = call;
  std::vector<Twin<Real>> twins;
  for (const auto& output : call.outputs) twins.emplace_back(output.values, false);
  for (std::size_t i = 0; i < twins.size(); ++i) other.outputs[i].values = twins[i].view();
  tested_->forward(other);
  this->inner().forward(call);
  record(call.op->name, &OpDifference::forward, worstOf(twins));
}

template <class Real>
void CheckBackend<Real>::backward(const OpCall<Real>& call) const {
  OpCall<Real> other = call;
  std::vector<Twin<Real>> twins;
  for (const auto& input : call.inputs)
    twins.emplace_back(input.gradient.sum, !input.gradient.fresh);
  for (std::size_t i = 0; i < twins.size(); ++i) other.inputs[i].gradient.sum = twins[i].view();
  tested_->backward(other);
  this->inner().backward(call);
  record(call.op->name, &OpDifference::backward, worstOf(twins));
}

template <class Real>
void CheckBackend<Real>::sgd(std::span<Real> parameters, std::span<const Real> gradients,
                             std::span<Real> momentum, const SgdRule& rule) const {
  std::vector<Twin<Real>> twins{twinOf(parameters), twinOf(momentum)};
  tested_->sgd(rangeOf(twins[0]), gradients, rangeOf(twins[1]), rule);
  this->inner().sgd(parameters, gradients, momentum, rule);
  record("sgd", &OpDifference::forward, worstOf(twins));
}

template <class Real>
void CheckBackend<Real>::adam(std::span<Real> parameters, std::span<const Real> gradients,
                              std::span<Real> first_moment, std::span<Real> second_moment,
                              const AdamRule& rule) const {
  std::vector<Twin<Real>> twins{twinOf(parameters), twinOf(first_moment), twinOf(second_moment)};
  tested_->adam(rangeOf(twins[0]), gradients, rangeOf(twins[1]), rangeOf(twins[2]), rule);
  this->inner().adam(parameters, gradients, first_moment, second_moment, rule);
  record("adam", &OpDifference::forward, worstOf(twins));
}

template <class Real>
void CheckBackend<Real>::record(std::string_view op, double OpDifference::*direction,
                                double difference) const {
  const std::lock_guard lock(mutex_);
  OpDifference& worst = worst_.try_emplace(op, OpDifference{op}).first->second;
  worst.*direction = std::max(worst.*direction, difference);
}

template <class Real>
std::vector<OpDifference> CheckBackend<Real>::worst() const {
  const std::lock_guard lock(mutex_);
  std::vector<OpDifference> all;
  for (const auto& [op, difference] : worst_) all.push_back(difference);
  return all;
}

template class CheckBackend<float>;
template class CheckBackend<double>;

}  // namespace tfm
