// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/stop_check.h"

#include <array>
#include <cmath>
#include <cstdio>

#include "core/train/counted_answers.h"

namespace tfm::train {
namespace {

/// At most four significant digits.
std::string text(double value) {
  std::array<char, 32> digits{};
  std::snprintf(digits.data(), digits.size(),
                value < 1e6 && value == std::floor(value) ? "%.0f" : "%.4g", value);
  return digits.data();
}

}  // namespace

StopCheck::Met StopCheck::met(const StopRules& rules, std::int64_t step, const Evaluation* now,
                              data::TaskForm form) {
  const auto asked = [step](double value) {
    return " in evaluation at step " + text(double(step)) + ", target " + text(value);
  };
  Met result;
  if (rules.steps > 0 && step >= rules.steps)
    result[Rule::Steps] = "step " + text(double(step)) + " reached, as requested";
  if (now == nullptr) return result;
  if (rules.loss > 0.0 && now->loss <= rules.loss)
    result[Rule::Loss] = "loss " + text(now->loss) + asked(rules.loss);
  const double accuracy = countedAccuracy(form, *now);
  if (rules.accuracy > 0.0 && accuracy >= rules.accuracy)
    result[Rule::Accuracy] =
        "accuracy " + text(100.0 * accuracy) + " %" + asked(100.0 * rules.accuracy) + " %";
  return result;
}

std::vector<std::string> StopCheck::newlyMet(const StopRules& rules, std::int64_t step,
                                             const std::vector<Evaluation>& evaluations,
                                             data::TaskForm form) {
  const bool evaluated = !evaluations.empty() && evaluations.back().step == step;
  const Met now = met(rules, step, evaluated ? &evaluations.back() : nullptr, form);
  std::vector<std::string> words;
  for (const auto& [rule, why] : now)
    if (!passed_.contains(rule)) words.push_back(why);
  // The result of an evaluation holds until the next one.
  std::erase_if(passed_, [&](Rule rule) { return rule == Rule::Steps || evaluated; });
  for (const auto& [rule, why] : now) passed_.insert(rule);
  return words;
}

}  // namespace tfm::train
