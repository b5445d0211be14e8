// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "core/base/error.h"
#include "core/model/model_state.h"

namespace tfm::train {

/// The name of the first parameter in layout order with a value that is not finite; empty if there
/// is none.
std::string firstNonFinite(const ParameterLayout& layout, std::span<const float> values);
/// The same in reverse order, that of the backward pass.
std::string lastNonFinite(const ParameterLayout& layout, std::span<const float> values);

/// A message about a model with such a parameter; empty if it has none.
std::string nonFiniteWarning(const ModelState& state);

/// Thrown for a loss or gradient that is not finite.
class Diverged : public Error {
 public:
  /// `quantity`: loss or gradient; `tensor`: the first one that is not finite; `state`: the one the
  /// step was computed from; `good`: the latest good state, or null.
  Diverged(const std::string& quantity, const std::string& tensor, std::int64_t step,
           const ModelState& state, const ModelState* good);

  std::int64_t step() const { return step_; }
  const std::string& tensor() const { return where(); }
  /// The step of the latest good state.
  std::optional<std::int64_t> goodStep() const { return good_step_; }

 private:
  std::int64_t step_;
  std::optional<std::int64_t> good_step_;
};

}  // namespace tfm::train
