// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/data/task_config.h"
#include "core/matformer/notebook_wiring.h"
#include "core/train/train_config.h"

namespace tfm::train {

class StudyRuns;

/// Does the wiring matter? The notebook's (see matformer::NotebookWiring) against the published
/// method, with the same examples, sizes, learning rate and number of steps.
struct WiringStudyConfig {
  ModelConfig model;  ///< an encoder for two classes
  data::TaskConfig task;
  TrainConfig train;  ///< its nesting, or the default one, is trained with the joint loss
  std::vector<std::uint64_t> seeds{1};
  std::int64_t steps = 500;      ///< of each run
  std::int64_t examples = 1000;  ///< held-out, limited to those available
  int threads = 1;
  /// Where finished runs are kept (see study_runs.h); may be null.
  std::shared_ptr<StudyRuns> kept = nullptr;
};

/// One granularity at the end of training, measured in batches of the training's size, as shares.
struct WiringPoint {
  std::uint64_t seed = 0;
  bool notebook = false;  ///< otherwise the published method
  std::string name;       ///< of the granularity
  std::int64_t width = 0;
  std::int64_t parameters = 0;  ///< of the whole model, trained ones only
  std::int64_t examples = 0;
  double shuffled = 0.0;  ///< accuracy on batches in a random order
  double by_label = 0.0;  ///< accuracy with one class after the other, as in the notebook
  double alone = 0.0;     ///< accuracy of one example at a time
  double reloaded = 0.0;  ///< accuracy, shuffled, of the model reloaded from a file
  double changed = 0.0;   ///< answers that differ between two random orders
};

struct WiringStudyResult {
  std::vector<WiringPoint>
      points;  ///< by seed, the notebook's before the published ones, smallest first
  bool cancelled = false;
};

/// Called every few steps and after every measurement with the share of steps done and the points
/// so far; returns false to cancel.
using WiringStudyProgress = std::function<bool(double share, const WiringStudyResult& so_far)>;

/// The notebook's wiring with the sizes of a model. Throws Error if the model is not an encoder.
matformer::NotebookWiring notebookWiringOf(const ModelConfig& model);

/// Throws Error if model or task are not suitable, and what training throws.
WiringStudyResult runWiringStudy(const WiringStudyConfig& config,
                                 const WiringStudyProgress& progress = {});

/// One line for each point, tab-separated under a header.
std::string toTsv(const WiringStudyResult& result);

}  // namespace tfm::train
