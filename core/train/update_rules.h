// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/train/train_config.h"

namespace tfm::train {

/// The optimizer's rule at a training step, counted from 0.
inline SgdRule sgdRule(const TrainConfig& config, std::int64_t step) {
  const OptimizerConfig& o = config.optimizer;
  return {learningRate(config.schedule, step), o.momentum, o.weight_decay};
}
/// `updates`: of the moments, including this one.
inline AdamRule adamRule(const TrainConfig& config, std::int64_t step, std::int64_t updates) {
  const OptimizerConfig& o = config.optimizer;
  AdamRule rule{learningRate(config.schedule, step), o.beta1, o.beta2, o.eps, o.weight_decay,
                o.kind == OptimizerKind::AdamW};
  rule.correctFor(updates);
  return rule;
}

}  // namespace tfm::train
