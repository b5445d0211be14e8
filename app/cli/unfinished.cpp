// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/unfinished.h"

#include <limits>
#include <system_error>
#include <utility>

#include "app/cli/checkpoints.h"
#include "app/cli/open_model.h"
#include "app/cli/output.h"
#include "core/base/error.h"
#include "core/expand/change.h"
#include "core/train/history.h"

namespace tfm::cli {
namespace {

namespace fs = std::filesystem;

bool isThere(const fs::path& file) {
  std::error_code problem;
  return fs::exists(file, problem);
}

/// Whether one document's training is the other's, some steps later.
bool continues(const train::Document& later, const train::Document& earlier) {
  return later.state.step > earlier.state.step && later.task == earlier.task &&
         later.state.seed == earlier.state.seed &&
         later.history.steps.size() > earlier.history.steps.size() &&
         train::lastCommonStep(later.history, earlier.history) ==
             std::numeric_limits<std::int64_t>::max();
}

/// The model that `begin` has become after so many steps of training with `config`.
ModelConfig modelAt(std::int64_t step, const train::Document& begin,
                    const train::TrainConfig& config) {
  ModelConfig model = begin.state.config;
  for (const train::ScheduledGrowth& scheduled : config.growths)
    if (scheduled.step >= begin.state.step && scheduled.step < step)
      model = expand::outlineGrowth(model, scheduled.growth, scheduled.step).after;
  return model;
}

bool isSameCommand(const train::Document& left, const train::Document& begin,
                   train::TrainConfig config) {
  config.seed = left.train.seed;  // that of the state counts
  return continues(left, begin) && left.train == config &&
         left.state.config == modelAt(left.state.step, begin, config);
}

void sayGoingOn(const fs::path& file, const train::Document& document) {
  say("note: going on from the checkpoint " + file.string() + ", after step " +
      withCommas(document.state.step));
}

}  // namespace

train::Document openResumed(const std::string& file, bool to_the_end) {
  const fs::path checkpoint = checkpointFile(file);
  if (!isThere(checkpoint) || (isThere(file) && !to_the_end)) return openSaved(file);
  train::Document left = openSaved(checkpoint.string());
  if (isThere(file)) {
    train::Document saved = openSaved(file);
    if (!continues(left, saved)) return saved;
  }
  sayGoingOn(checkpoint, left);
  return left;
}

void goOnFromCheckpoint(const fs::path& out, const train::TrainConfig& config, bool force,
                        train::Document& begin) {
  const fs::path checkpoint = checkpointFile(out);
  if (force || !isThere(checkpoint)) return;
  train::Document left = openSaved(checkpoint.string());
  const bool is_begin = left.state.step == begin.state.step && left.history == begin.history;
  if (is_begin) return;
  if (!isSameCommand(left, begin, config))
    throw Error("another training has left its checkpoint here, after step " +
                    withCommas(left.state.step) + ", and this one would replace it",
                checkpoint.string(),
                "Go on from it with train --resume " + checkpoint.string() +
                    ", or begin anew with --force or another --out");
  sayGoingOn(checkpoint, left);
  begin = std::move(left);
}

}  // namespace tfm::cli
