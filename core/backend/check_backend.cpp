// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/check_backend.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <type_traits>

#include "core/backend/buffer.h"

namespace tfm {
namespace {

/// Copies of a call's inputs and outputs in the memory of the tested backend.
class Twins {
 public:
  Twins(const DeviceMemory& reference, const DeviceMemory& tested)
      : reference_(reference), tested_(tested) {}

  /// A copy of an input.
  template <class T>
  MatrixView<T> read(MatrixView<T> m) {
    if (!m || m.rows == 0 || &reference_ == &tested_) return m;
    return {keep(download(m)), m.rows, m.cols, m.stride};
  }
  template <class T>
  std::span<T> read(std::span<T> list) {
    return {read(row(list)).data, list.size()};
  }
  /// Memory for an output, initialized with the reference's numbers if `begun`, otherwise with NaN.
  template <class T>
  MatrixView<T> written(MatrixView<T> m, bool begun) {
    if (!m || m.rows == 0) return m;
    constexpr T kNothing = std::numeric_limits<T>::has_quiet_NaN
                               ? std::numeric_limits<T>::quiet_NaN()
                               : std::numeric_limits<T>::lowest();
    AlignedVector<T> numbers = download(m);
    if (!begun) std::ranges::fill(numbers, kNothing);
    T* twin = keep(numbers);
    differences_.push_back([this, m, twin, size = numbers.size()] {
      AlignedVector<T> got(size);
      tested_.download(got.data(), twin, size * sizeof(T));
      const AlignedVector<T> expected = download(m);
      return difference<T>({expected.data(), m.rows, m.cols, m.stride},
                           {got.data(), m.rows, m.cols, m.stride});
    });
    return {twin, m.rows, m.cols, m.stride};
  }
  template <class T>
  std::span<T> written(std::span<T> list, bool begun) {
    return {written(row(list), begun).data, list.size()};
  }

  /// The largest difference after both have run; see OpDifference.
  double worst() const {
    double worst = 0.0;
    for (const auto& difference : differences_) worst = std::max(worst, difference());
    return worst;
  }

 private:
  template <class T>
  static MatrixView<T> row(std::span<T> list) {
    return {list.data(), 1, std::int64_t(list.size())};
  }
  /// All numbers from first to last, including gaps between rows.
  template <class T>
  AlignedVector<std::remove_const_t<T>> download(MatrixView<T> m) const {
    AlignedVector<std::remove_const_t<T>> numbers(std::size_t((m.rows - 1) * m.stride + m.cols));
    reference_.download(numbers.data(), m.data, numbers.size() * sizeof(T));
    return numbers;
  }
  template <class T>
  T* keep(const AlignedVector<T>& numbers) {
    const auto bytes = std::as_bytes(std::span(numbers));
    return reinterpret_cast<T*>(twins_.emplace_back(tested_, bytes).data());
  }
  template <class T>
  static double difference(MatrixView<const T> reference, MatrixView<const T> tested) {
    double worst = 0.0, largest = 1.0;
    for (std::int64_t r = 0; r < reference.rows; ++r)
      for (std::int64_t c = 0; c < reference.cols; ++c) {
        const auto expected = double(reference.at(r, c)), got = double(tested.at(r, c));
        if (std::isfinite(expected)) largest = std::max(largest, std::abs(expected));
        if (expected == got || (std::isnan(expected) && std::isnan(got))) continue;
        const double off = std::abs(expected - got);
        worst = std::max(worst, std::isfinite(off) ? off : std::numeric_limits<double>::infinity());
      }
    return worst / largest;
  }

  const DeviceMemory& reference_;
  const DeviceMemory& tested_;
  std::vector<Buffer<std::byte>> twins_;
  std::vector<std::function<double()>> differences_;
};

}  // namespace

template <class Real>
void CheckBackend<Real>::forward(const OpCall<Real>& call) const {
  Twins twins(this->inner().memory(), tested_->memory());
  OpCall<Real> other = call;
  other.position = twins.read(std::span(call.position, 1)).data();
  for (auto& input : other.inputs) {
    input.values = twins.read(input.values);
    input.ids = twins.read(input.ids);
  }
  const bool begun = call.op->in_place;
  for (auto& output : other.outputs) output.values = twins.written(output.values, begun);
  other.indices = twins.written(call.indices, begun);
  other.sums = twins.written(call.sums, begun);
  tested_->forward(other);
  this->inner().forward(call);
  record(call.op->name, &OpDifference::forward, twins.worst());
}

template <class Real>
void CheckBackend<Real>::backward(const OpCall<Real>& call) const {
  Twins twins(this->inner().memory(), tested_->memory());
  OpCall<Real> other = call;
  other.position = twins.read(std::span(call.position, 1)).data();
  for (auto& input : other.inputs) {
    input.values = twins.read(input.values);
    input.ids = twins.read(input.ids);
    input.gradient.sum = twins.written(input.gradient.sum, !input.gradient.fresh);
  }
  for (auto& output : other.outputs) {
    output.values = twins.read(output.values);
    output.gradient = twins.read(output.gradient);
  }
  tested_->backward(other);
  this->inner().backward(call);
  record(call.op->name, &OpDifference::backward, twins.worst());
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
