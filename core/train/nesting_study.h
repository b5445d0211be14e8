// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/data/task_config.h"
#include "core/train/spread.h"
#include "core/train/submodel_scorer.h"
#include "core/train/train_config.h"

namespace tfm::train {

class StudyRuns;

/// Does nesting cost anything? One nested model against each of its granularities trained
/// separately, with the same examples, optimizer and number of steps.
struct NestingStudyConfig {
  ModelConfig model;
  data::TaskConfig task;
  TrainConfig train;  ///< with its nesting; stop rules are ignored
  std::vector<std::uint64_t> seeds{1, 2, 3};
  std::int64_t steps = 1000;     ///< of each run
  std::int64_t examples = 1000;  ///< held-out, at the end of each run
  int threads = 1;
  /// Where finished runs are kept (see study_runs.h); may be null.
  std::shared_ptr<StudyRuns> kept = nullptr;
};

/// One granularity of one seed at the end of training.
struct NestingPoint {
  std::uint64_t seed = 0;
  std::string name;       ///< of the granularity
  bool separate = false;  ///< trained separately; otherwise a submodel of the nested model
  SubmodelScore score;    ///< agreement and divergence: with the nested model's whole
  double seconds = 0.0;   ///< of training; of a submodel: that of the whole nested model
};

struct NestingStudyResult {
  std::vector<NestingPoint> points;
  bool cancelled = false;
};

/// Called every few steps and after every measurement with the share of steps done and the points
/// so far; returns false to cancel.
using NestingStudyProgress = std::function<bool(double share, const NestingStudyResult& so_far)>;

/// Trains, for each seed, the nested model and then a twin for each of its granularities. Throws
/// Error if there is no nesting or a growth is scheduled, and what training throws.
NestingStudyResult runNestingStudy(const NestingStudyConfig& config,
                                   const NestingStudyProgress& progress = {});

/// The seeds of one granularity, trained in one of the two ways.
struct NestingSpread {
  std::string name;
  bool separate = false;
  std::int64_t parameters = 0;
  std::int64_t runs = 0;
  Spread loss, accuracy, agreement;
};

/// One for each granularity and way: smallest first, each nested before separate.
std::vector<NestingSpread> spreadOf(const NestingStudyResult& result);

/// One line for each point, tab-separated under a header.
std::string toTsv(const NestingStudyResult& result);

}  // namespace tfm::train
