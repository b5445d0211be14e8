// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/growth_study.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/expand/change.h"

namespace tfm::train {
namespace {

/// Sorts and validates the schedule; returns the model it ends with.
ModelConfig finalModel(const StudyConfig& config, std::vector<ScheduledGrowth>& growths) {
  if (growths.empty())
    throw Error("nothing is scheduled to grow", "study", "Name at least one growth and its step");
  std::stable_sort(growths.begin(), growths.end(),
                   [](const auto& a, const auto& b) { return a.step < b.step; });
  ModelConfig model = config.model;
  for (const ScheduledGrowth& scheduled : growths) {
    if (scheduled.step >= config.steps)
      throw Error("a growth is scheduled for step " + std::to_string(scheduled.step) + " of " +
                      std::to_string(config.steps),
                  "study", "Choose an earlier step or more steps");
    model = expand::outlineGrowth(model, scheduled.growth, scheduled.step).after;
  }
  return model;
}

/// A new model with the final sizes, without artefacts of growing.
ModelConfig fromScratch(ModelConfig model, const ModelConfig& small) {
  for (const Stack stack : {Stack::Encoder, Stack::Decoder})
    for (LayerConfig& layer : model.layers(stack)) {
      layer.gated = false;
      for (std::size_t i = 0; i < layer.blocks.size(); ++i)
        layer.blocks[i].norm_eps = small.layers(stack).front().blocks[i].norm_eps;
    }
  model.embedding_norm_eps = small.embedding_norm_eps;
  model.encoder_final_norm_eps = small.encoder_final_norm_eps;
  model.decoder_final_norm_eps = small.decoder_final_norm_eps;
  model.mask_size = 0;
  const bool even = model.hidden % 2 == 0;
  const bool sines =
      small.positions == Positions::Sinusoidal || small.positions == Positions::Relative;
  if (sines && small.sinusoid_size == 0 && even) {
    model.positions = small.positions;
    model.sinusoid_size = 0;
    model.sinusoid_repeats = false;
  }
  if (small.embedding_scale == std::sqrt(double(small.hidden)))
    model.embedding_scale = std::sqrt(double(model.hidden));
  return model;
}

}  // namespace

StudyCurves runGrowthStudy(const StudyConfig& config, const StudyProgress<StudyPoint>& progress) {
  StudyArm grown{kGrown, config.model, config.train};
  StudyArm scratch{kFromScratch, fromScratch(finalModel(config, grown.train.growths), config.model),
                   config.train};
  scratch.train.growths.clear();
  return compareModels(config, {grown, scratch}, progress);
}

}  // namespace tfm::train
