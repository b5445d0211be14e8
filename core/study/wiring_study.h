// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

#include "core/matformer/notebook_wiring.h"
#include "core/study/study.h"

namespace tfm::train {

/// One granularity at the end of training, measured in batches of the training's size, as shares.
struct WiringPoint {
  std::uint64_t seed = 0;
  std::string wiring;  ///< kNotebook or kPublished
  std::string name;    ///< of the granularity
  std::int64_t width = 0;
  std::int64_t parameters = 0;  ///< of the whole model, trained ones only
  std::int64_t examples = 0;
  double shuffled = 0.0;  ///< accuracy on batches in a random order
  double by_label = 0.0;  ///< accuracy with one class after the other, as in the notebook
  double alone = 0.0;     ///< accuracy of one example at a time
  double reloaded = 0.0;  ///< accuracy, shuffled, of the model reloaded from a file
  double changed = 0.0;   ///< answers that differ between two random orders

  static const StudyColumns<WiringPoint>& columns();
};

/// By seed, the notebook's before the published ones, smallest first.
using WiringStudyResult = StudyResult<WiringPoint>;

/// The wirings that are compared: see matformer::NotebookWiring, and the published method.
inline constexpr const char* kNotebook = "notebook";
inline constexpr const char* kPublished = "published";

/// The notebook's wiring with the sizes of a model. Throws Error if the model is not an encoder.
matformer::NotebookWiring notebookWiringOf(const ModelConfig& model);

/// Does the wiring matter? An encoder that answers with one of two classes, in both wirings, with
/// the same examples, sizes, learning rate and number of steps; its nesting, or the usual one, is
/// trained with the joint loss. Throws Error where model or task are not of the kind, and what
/// training throws.
WiringStudyResult runWiringStudy(const StudyConfig& config,
                                 const StudyProgress<WiringPoint>& progress = {});

}  // namespace tfm::train
