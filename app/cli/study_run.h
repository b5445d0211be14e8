// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "app/cli/experiment.h"
#include "app/cli/task_options.h"
#include "app/cli/train_options.h"

namespace tfm::cli {

/// What every study is told.
struct StudyOptions {
  /// Declares them. Must stay where it is until the verb has run.
  explicit StudyOptions(CLI::App& app);

  std::string preset, config, out;
  TaskOptions task;
  TrainOptions train;
  std::int64_t steps = 1000, seeds = 3;
  int threads = 1;
  bool json = false;

  /// The model fitted to its task. Throws Error naming what is wrong.
  Experiment experiment() const;
  /// 1, 2, ... as many as asked for.
  std::vector<std::uint64_t> seedNumbers() const;
};

/// Told the share that is done; false: it is to stop.
using StudyShare = std::function<bool(double share)>;

/// Runs a study with its progress on a terminal, saves the table that it gives, also after Ctrl-C,
/// and prints. Gives the exit code.
int runAndSave(const StudyOptions& options, const data::TaskConfig& task,
               const std::function<std::string(const StudyShare&)>& run,
               const std::function<void()>& print);

}  // namespace tfm::cli
