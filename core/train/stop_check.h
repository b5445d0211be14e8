// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/train/metrics.h"
#include "core/train/train_config.h"

namespace tfm::train {

/// Tells when a stop rule comes to hold. Whoever trains on after a rule is met wants to go on: only
/// a rule that was not met before stops.
class StopCheck {
 public:
  /// In words, the rules that hold now and did not before. `evaluations`: all so far.
  std::vector<std::string> newlyMet(const StopRules& rules, std::int64_t step,
                                    const std::vector<Evaluation>& evaluations);

 private:
  enum class Rule { Steps, Loss, Accuracy };
  using Met = std::map<Rule, std::string>;
  static Met met(const StopRules& rules, std::int64_t step, const Evaluation* now);

  std::set<Rule> passed_;  ///< rules that were met when training was started or went on
};

}  // namespace tfm::train
