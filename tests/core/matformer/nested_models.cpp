// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/matformer/nested_models.h"

#include <algorithm>
#include <stdexcept>

#include "core/model/build_program.h"
#include "core/program/used_parameters.h"

namespace tfm::test {

std::vector<SmallModel> nestedModels() {
  std::vector<SmallModel> models = smallModels();
  SmallModel labels = smallModel("encoder pre layer");
  labels.name = "labels of features";
  labels.config.output = OutputKind::Labels;
  labels.config.input = InputKind::Features;
  labels.config.source_vocabulary = 0;
  models.push_back(labels);
  SmallModel shared = smallModel("both pre layer");
  shared.name = "both shared and tied";
  shared.config.share_layers = shared.config.tie_output = true;
  models.push_back(shared);
  SmallModel gelu = smallModel("encoder post layer");
  gelu.name = "classes without biases";
  gelu.config.activation = Activation::Gelu;
  gelu.config.attention_bias = gelu.config.feed_forward_bias = gelu.config.output_bias = false;
  models.push_back(gelu);
  for (SmallModel& model : models)
    for (auto* layers : {&model.config.encoder_layers, &model.config.decoder_layers})
      for (LayerConfig& layer : *layers)
        for (BlockConfig& block : layer.blocks)
          if (block.kind() != FeedForward::kKind) block.setHeads(3);
  return models;
}

SmallModel nestedModel(const std::string& name) {
  for (SmallModel& model : nestedModels())
    if (model.name == name) return model;
  throw std::runtime_error("no nested model " + name);
}

matformer::Nesting smallNesting(bool heads) {
  matformer::Nesting nesting;
  nesting.widths = {1, 3, 5};
  if (heads) nesting.heads = {1, 2, 2};
  return nesting;
}

std::vector<Submodel> triedSubmodels(const ModelConfig& config) {
  std::vector<Submodel> tried;
  for (const bool heads : {false, true})
    for (const auto& one : matformer::granularities(config, smallNesting(heads)))
      tried.push_back(one.submodel);
  Submodel mix{fullWidths(config), fullHeads(config)};
  for (std::size_t i = 0; i < mix.widths.size(); ++i) {
    mix.widths[i] = 2 + std::int64_t(3 * i) % 5;
    mix.heads[i] = std::min(mix.heads[i], 1 + std::int64_t(i) % 3);
  }
  tried.push_back(mix);
  return tried;
}

std::vector<bool> readBy(const ModelConfig& config, const std::vector<Submodel>& submodels) {
  std::vector<bool> read(std::size_t(parameterLayout(config).total), false);
  for (const Submodel& submodel : submodels) {
    ProgramOptions options;
    options.submodel = submodel;
    for (const EntryRun& run : usedRuns(buildProgram(config, fullShape(config, 1), options)))
      std::fill_n(read.begin() + run.first, run.count, true);
  }
  return read;
}

}  // namespace tfm::test
