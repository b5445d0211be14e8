// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/data/text_codec.h"
#include "core/train/metrics.h"
#include "core/train/train_config.h"

namespace tfm::train {

/// Reports when a stop rule is newly met. A rule that was already met does not stop again, so that
/// training can be continued.
class StopCheck {
 public:
  /// Descriptions of the rules met now but not before. `evaluations`: all so far, of a task of this
  /// form; see countedAccuracy().
  std::vector<std::string> newlyMet(const StopRules& rules, std::int64_t step,
                                    const std::vector<Evaluation>& evaluations,
                                    data::TaskForm form);

 private:
  enum class Rule { Steps, Loss, Accuracy };
  using Met = std::map<Rule, std::string>;
  static Met met(const StopRules& rules, std::int64_t step, const Evaluation* now,
                 data::TaskForm form);

  std::set<Rule> passed_;  ///< rules met before
};

}  // namespace tfm::train
