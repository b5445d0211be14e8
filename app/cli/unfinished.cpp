// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/unfinished.h"

#include <limits>
#include <optional>
#include <system_error>
#include <utility>

#include "app/cli/checkpoints.h"
#include "app/cli/open_model.h"
#include "app/cli/output.h"
#include "app/cli/output_files.h"
#include "core/base/error.h"
#include "core/data/self_contained.h"
#include "core/data/task_table.h"
#include "core/document/history.h"
#include "core/expand/change.h"
#include "core/train/stop_check.h"

namespace tfm::cli {
namespace {

namespace fs = std::filesystem;

bool fileExists(const fs::path& file) {
  std::error_code problem;
  return fs::exists(file, problem);
}

/// Whether both learn the same, wherever the texts are, if they are anywhere.
bool isSameTask(const train::Document& a, const train::Document& b) {
  if (a.task && b.task) return data::isSameTask(*a.task, *b.task);
  if (!a.missing || !b.missing) return false;
  const data::TextReferences& one = a.missing->references;
  const data::TextReferences& other = b.missing->references;
  const auto hash = [](const auto& test) { return test ? test->hash : std::string(); };
  return one.text.hash == other.text.hash && hash(one.test) == hash(other.test);
}

/// Whether `later` continues the training of `earlier`.
bool continues(const train::Document& later, const train::Document& earlier) {
  return later.state.step > earlier.state.step && isSameTask(later, earlier) &&
         later.state.seed == earlier.state.seed &&
         later.history.steps.size() > earlier.history.steps.size() &&
         train::lastCommonStep(later.history, earlier.history) ==
             std::numeric_limits<std::int64_t>::max();
}

/// The model at `step` of a training of `begin` with `config`.
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
  config.seed = left.train.seed;  // the seed of the state is used
  return continues(left, begin) && left.train == config &&
         left.state.config == modelAt(left.state.step, begin, config);
}

/// Gives a document whose texts are missing the task of `begin` if that has them.
void findTexts(train::Document& left, const train::Document& begin) {
  if (left.missing && data::hasTexts(*begin.task, left.missing->references))
    train::giveTask(left, *begin.task);
}

/// Whether a training has come to its end: its last step or another of its stop rules.
bool isFinished(const train::Document& document) {
  if (document.train.stop == train::StopRules{}) return true;
  const data::TaskForm form =
      document.task ? data::findTask(document.task->kind).form : data::TaskForm::None;
  return !train::StopCheck()
              .newlyMet(document.train.stop, document.state.step, document.history.evaluations,
                        form)
              .empty();
}

/// A damaged one must not be in the way for good.
train::Document openCheckpoint(const fs::path& file) {
  try {
    return openSaved(file.string());
  } catch (const Error& problem) {
    throw Error(problem.problem(), problem.where(),
                "An earlier run left this checkpoint. Delete it, and the same command works again, "
                "without the steps in it");
  }
}

void announceResuming(const fs::path& file, const train::Document& document) {
  say("note: resuming from the checkpoint " + file.string() + ", after step " +
      withCommas(document.state.step));
}

/// `force`: of the hint, what a command with --force offers.
void requireEnded(const fs::path& out, const train::Document& saved, const std::string& force) {
  if (!saved.history.steps.empty() && !isFinished(saved))
    throw Error("there is a model of another training, stopped after step " +
                    withCommas(saved.state.step) + ", which this one would replace",
                out.string(),
                "Continue it with train --resume " + out.string() + ", or " + force +
                    "choose another --out");
}

}  // namespace

train::Document openResumed(const std::string& file, bool to_the_end) {
  const fs::path checkpoint = checkpointFile(file);
  if (!fileExists(checkpoint) || (fileExists(file) && !to_the_end)) return openSaved(file);
  train::Document left = openCheckpoint(checkpoint);
  if (fileExists(file)) {
    train::Document saved = openSaved(file);
    if (!continues(left, saved)) return saved;
  }
  announceResuming(checkpoint, left);
  return left;
}

Left resumeWhatIsLeft(const fs::path& out, std::optional<train::Document> saved,
                      const train::TrainConfig& config, train::Document& begin) {
  const fs::path checkpoint = checkpointFile(out);
  std::optional<train::Document> left;
  if (fileExists(checkpoint)) {
    left = openCheckpoint(checkpoint);
    findTexts(*left, begin);
    const bool is_begin = left->state.step == begin.state.step && left->history == begin.history;
    if (is_begin)
      left.reset();
    else if (!isSameCommand(*left, begin, config))
      throw Error("there is a checkpoint of another training, after step " +
                      withCommas(left->state.step) + ", which this one would replace",
                  checkpoint.string(),
                  "Continue it with train --resume " + checkpoint.string() +
                      ", or start over with --force or another --out");
  }
  if (saved) findTexts(*saved, begin);
  if (saved && isSameCommand(*saved, begin, config) &&
      (!left || saved->state.step > left->state.step)) {
    begin = std::move(*saved);
    if (isFinished(begin)) {
      say("note: " + out.string() + " is the result of this command already, after step " +
          withCommas(begin.state.step) + "; --force trains it again");
      return Left::All;
    }
    say("note: resuming from " + out.string() + ", which this command left after step " +
        withCommas(begin.state.step) + "; --force starts over");
    return Left::Part;
  }
  if (left) {
    announceResuming(checkpoint, *left);
    begin = std::move(*left);
    return Left::Part;
  }
  if (saved) requireReplaceable(out, *saved);
  return Left::Nothing;
}

void requireReplaceable(const fs::path& out, const train::Document& saved) {
  requireEnded(out, saved, "replace it with --force, or ");
  if (!saved.history.steps.empty())
    say("note: this replaces the model in " + out.string() + ", trained for " +
        counted(saved.state.step, "step"));
}

void requireReplaceable(GuardedOutput& out, const std::string& file) {
  const std::optional<train::Document> saved = out.takeModel();
  if (saved && !isSameFile(file, out.path().string())) requireEnded(out.path(), *saved, "");
}

}  // namespace tfm::cli
