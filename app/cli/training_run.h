// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/cli/checkpoints.h"
#include "app/cli/stop_signals.h"
#include "app/cli/training_log.h"
#include "core/document/document.h"

namespace tfm::cli {

/// Why a run ended.
enum class Ending { AsAsked, Interrupted, Diverged, Failed };

/// The result of a run.
struct RunResult {
  train::Document document;      ///< Diverged: the last good state
  train::Evaluation evaluation;  ///< of `document`, on held-out examples
  std::int64_t steps = 0;        ///< steps of this run that were kept
  double seconds = 0.0;          ///< evaluations included
  Ending ending = Ending::AsAsked;
  std::string reason;                     ///< for a message
  int signal = 0;                         ///< the signal that interrupted it
  std::optional<std::int64_t> good_step;  ///< Diverged: step of the last good state, if any
  std::int64_t lost_steps = 0;            ///< Diverged: steps after good_step
};

/// Trains with `config` until one of its stop rules holds, the loss is not finite, or a signal
/// arrives; the current step is finished then. `or_cpu`: if the device runs out of memory, training
/// continues on the CPU. `document` must have steps left. `log` and `checkpoints` may be null.
/// Throws Error if the model cannot be trained or is broken at the start.
RunResult runTraining(train::Document document, const train::TrainConfig& config, int threads,
                      const StopSignals& signals, bool or_cpu, TrainingLog* log,
                      Checkpoints* checkpoints);

/// Evaluates the document with `config`, without training. Throws Error if the loss is not finite.
RunResult evaluateOnly(train::Document document, const train::TrainConfig& config, int threads);

}  // namespace tfm::cli
