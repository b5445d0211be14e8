// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/cli/checkpoints.h"
#include "app/cli/stop_signals.h"
#include "app/cli/training_log.h"
#include "core/train/document.h"

namespace tfm::cli {

/// Why a run ended.
enum class Ending { AsAsked, Interrupted, Diverged, Failed };

/// What a run leaves behind.
struct RunResult {
  train::Document document;      ///< Diverged: the last good state
  train::Evaluation evaluation;  ///< of that state, on held-out examples
  std::int64_t steps = 0;        ///< done in this run and kept
  double seconds = 0.0;          ///< evaluations included
  Ending ending = Ending::AsAsked;
  std::string reason;                     ///< in words
  int signal = 0;                         ///< that interrupted
  std::optional<std::int64_t> good_step;  ///< Diverged: of the last good state, if there is one
  std::int64_t lost_steps = 0;            ///< Diverged: done after it
};

/// Trains until a stop rule of `config` holds, the loss is no longer a number, or a signal asks to
/// stop; then the step under way is finished. `document` has steps left to do; `config` takes the
/// place of its own. `log` and `checkpoints` may be null. Throws Error where the model cannot be
/// trained, and where it is broken from the beginning.
RunResult runTraining(train::Document document, const train::TrainConfig& config, int threads,
                      const StopSignals& signals, TrainingLog* log, Checkpoints* checkpoints);

/// Measures the document as it is, with another config. Throws Error where that gives no number.
RunResult runNoStep(train::Document document, const train::TrainConfig& config, int threads);

}  // namespace tfm::cli
