// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/growth_study.h"

#include <cmath>

#include "core/base/error.h"

namespace tfm::train {
namespace {

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

StudyConfig growthStudyArms(const StudyConfig& config) {
  if (config.train.growths.empty())
    throw Error("nothing is scheduled to grow", "study", "Name at least one growth and its step");
  const StudyArm grown{kGrown, config.model, config.train};
  StudyArm scratch{kFromScratch, fromScratch(finalModel(grown, config.steps), config.model),
                   config.train};
  scratch.train.growths.clear();
  StudyConfig study = config;
  study.arms = {grown, scratch};
  return study;
}

StudyCurves runGrowthStudy(const StudyConfig& config, const StudyProgress<StudyPoint>& progress) {
  return compareModels(growthStudyArms(config), progress);
}

}  // namespace tfm::train
