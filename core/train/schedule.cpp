// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <numbers>

#include "core/tensor/portable_math.h"
#include "core/train/train_config.h"

namespace tfm::train {
namespace {

double warmupCosine(const ScheduleConfig& s, double step) {
  const auto warmup = double(s.warmup_steps);
  if (step < warmup) return s.start_rate + (s.learning_rate - s.start_rate) * step / warmup;
  const double span = std::max(1.0, double(s.total_steps) - warmup);
  const double share = std::min(1.0, (step - warmup) / span);
  return s.end_rate +
         (s.learning_rate - s.end_rate) * 0.5 * (1.0 + portable::cos(std::numbers::pi * share));
}

double warmupExponential(const ScheduleConfig& s, double step) {
  const auto warmup = double(s.warmup_steps);
  if (step < warmup) return s.start_rate + (s.learning_rate - s.start_rate) * step / warmup;
  const double decaying = step - warmup - double(s.decay_begin);
  if (decaying <= 0.0) return s.learning_rate;
  const double rate =
      s.learning_rate * portable::pow(s.decay_rate, decaying / double(s.decay_steps));
  return std::max(rate, s.end_rate);
}

}  // namespace

double learningRate(const ScheduleConfig& schedule, std::int64_t step) {
  switch (schedule.kind) {
    case ScheduleKind::Constant:
      return schedule.learning_rate;
    case ScheduleKind::WarmupCosine:
      return warmupCosine(schedule, double(step));
    case ScheduleKind::WarmupExponential:
      return warmupExponential(schedule, double(step));
  }
  return schedule.learning_rate;
}

ScheduleConfig notebookSchedule() {
  ScheduleConfig s;
  s.kind = ScheduleKind::WarmupExponential;
  s.start_rate = 0.5;
  s.learning_rate = 0.8;
  s.end_rate = 1e-3;
  s.warmup_steps = 100;
  s.decay_begin = 100;
  s.decay_steps = 200;
  s.decay_rate = 0.5;
  return s;
}

}  // namespace tfm::train
