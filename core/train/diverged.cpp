// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/diverged.h"

#include <algorithm>
#include <cmath>

namespace tfm::train {
namespace {

bool isFinite(const ParameterInfo& p, std::span<const float> values) {
  const auto part = values.subspan(std::size_t(p.offset), std::size_t(p.size()));
  return std::all_of(part.begin(), part.end(), [](float x) { return std::isfinite(x); });
}

std::string adviceFor(const ModelState& state, const ModelState* good) {
  if (good == nullptr)
    return "There is no good state to go back to: lower the learning rate and start again";
  const std::int64_t lost = state.step - good->step;
  return "Go back to the last good state, after step " + std::to_string(good->step) + " (" +
         std::to_string(lost) + (lost == 1 ? " step is" : " steps are") +
         " lost), and lower the learning rate";
}

}  // namespace

std::string firstNonFinite(const ParameterLayout& layout, std::span<const float> values) {
  for (const ParameterInfo& p : layout.parameters)
    if (!isFinite(p, values)) return p.name;
  return {};
}

std::string lastNonFinite(const ParameterLayout& layout, std::span<const float> values) {
  for (auto p = layout.parameters.rbegin(); p != layout.parameters.rend(); ++p)
    if (!isFinite(*p, values)) return p->name;
  return {};
}

std::string nonFiniteWarning(const ModelState& state) {
  const std::string tensor = firstNonFinite(state.layout, state.parameters);
  return tensor.empty() ? tensor
                        : tensor + " has values that are not finite: answers are meaningless";
}

Diverged::Diverged(const std::string& quantity, const std::string& tensor, std::int64_t step,
                   const ModelState& state, const ModelState* good)
    : Error("the " + quantity + " is not finite at step " + std::to_string(step), tensor,
            adviceFor(state, good)),
      step_(step) {
  if (good != nullptr) good_step_ = good->step;
}

}  // namespace tfm::train
