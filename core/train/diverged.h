// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "core/base/error.h"
#include "core/model/model_state.h"

namespace tfm::train {

/// The name of the first parameter, in the layout's order, that holds a value which is not finite;
/// empty where all are.
std::string firstNonFinite(const ParameterLayout& layout, std::span<const float> values);
/// The same from the last one: the order in which a backward pass comes by.
std::string lastNonFinite(const ParameterLayout& layout, std::span<const float> values);

/// What to say of a model with such a parameter; empty where it has none.
std::string brokenNote(const ModelState& state);

/// A loss or gradient that is no longer a number.
class Diverged : public Error {
 public:
  /// `quantity`: which of them; `tensor`: where it began; `step`: that it was met in; `state`: the
  /// one it was computed from; `good`: the newest one known to be good, or null.
  Diverged(const std::string& quantity, const std::string& tensor, std::int64_t step,
           const ModelState& state, const ModelState* good);

  std::int64_t step() const { return step_; }
  const std::string& tensor() const { return where(); }
  /// The step of the newest state that is known to be good.
  std::optional<std::int64_t> goodStep() const { return good_step_; }

 private:
  std::int64_t step_;
  std::optional<std::int64_t> good_step_;
};

}  // namespace tfm::train
