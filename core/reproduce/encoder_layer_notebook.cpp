// SPDX-License-Identifier: GPL-3.0-or-later
// The notebook about PyTorch's encoder layer.
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "core/data/batches.h"
#include "core/model/build_program.h"
#include "core/model/model_state.h"
#include "core/model/presets.h"
#include "core/reproduce/encoder_copies.h"
#include "core/reproduce/layer_steps.h"
#include "core/reproduce/model_outputs.h"
#include "core/reproduce/source.h"
#include "core/reproduce/torch_draws.h"
#include "core/train/fit_task.h"

namespace tfm::reproduce {
namespace {

constexpr const char* kGeneratorOfADevice =
    "not computed: weights and inputs are drawn by the generator of an Apple GPU (device mps) and "
    "are not stored";

ModelConfig oneObject() { return presetNamed("encoder-layer-notebook").config(); }
ModelConfig deepCopies() { return presetNamed("encoder-layer-notebook-independent").config(); }

/// How many of three outputs for the same input differ from the first: in training, in evaluation.
Numbers differingOutputs() {
  const ModelState state = initialState(oneObject(), 42);
  const Numbers parameters(state.parameters.begin(), state.parameters.end());
  const Batch batch = featureBatch(oneObject(), 2);
  const auto differing = [&](bool training) {
    std::vector<Numbers> outputs;
    for (std::uint64_t step = 0; step < 3; ++step)
      outputs.push_back(outputsOf(oneObject(), parameters, batch, names::kOutput,
                                  training ? std::optional(step) : std::nullopt)
                            .values);
    return double(int(outputs[1] != outputs[0]) + int(outputs[2] != outputs[0]));
  };
  return {differing(true), differing(false)};
}

Numbers sizesOfTheTest() {
  const ModelConfig c = oneObject();
  const LayerSizes sizes = uniformSizes(c).value();
  return {double(c.source_length),
          double(c.hidden),
          double(sizes.heads),
          double(sizes.feed_forward),
          c.residual_dropout,
          sizes.norm_eps,
          double(c.encoder_layers.size()),
          c.norm_placement == NormPlacement::Pre ? 1.0 : 0.0};
}

/// Norms of the first layer that stand right before their block, and its residual connections.
Numbers normsAndSums(NormPlacement placement) {
  ModelConfig config = oneObject();
  config.norm_placement = placement;
  const Series row = layerSteps(config, 3, "");
  int before = 0;
  for (std::size_t i = 0; i + 1 < row.labels.size(); ++i)
    if (row.labels[i] == row.labels[i + 1] + " norm") ++before;
  return {double(before), double(row.x.size())};
}

/// Its sequences; the largest difference between what it is compared with and what it reads.
Numbers batchOfTheRecipe() {
  const train::Document recipe = recipeOf(sourceNamed("encoder-layer-notebook"));
  const auto task = train::makeTask(recipe);
  const Batch batch = data::trainingBatch(*task, train::framingFor(recipe.state.config, *task), 0,
                                          0, recipe.train.batch_size);
  const Numbers read(batch.source_features.begin(), batch.source_features.end());
  const Numbers wanted(batch.label_features.begin(), batch.label_features.end());
  return {double(batch.size), largestDifference(read, wanted)};
}

/// The definition's W_q, b_q ... of all heads, W_o, b_o, both norms, W_1, b_1, W_2, b_2.
double definedParameters(double d, double ff) {
  return 3 * (d * d + d) + (d * d + d) + 2 * 2 * d + (d * ff + ff) + (ff * d + d);
}

}  // namespace

std::vector<Claim> encoderLayerClaims() {
  return {
      {.text = "Test: N 3, d_model 4, 2 heads, feed-forward 64, dropout 0.2, eps 1e-5, 3 layers, "
               "norm_first",
       .printed = {3, 4, 2, 64, 0.2, 1e-5, 3, 1},
       .how = "the preset encoder-layer-notebook",
       .where = "Matrices; info --preset encoder-layer-notebook",
       .ours = sizesOfTheTest,
       .wrong = "The definition says ReLU; the test uses GELU."},
      {.text = "(the definition's weights, W_q,i ... b_2, counted for d 4 and d_ff 64)",
       .printed = {definedParameters(4, 64)},
       .how = "parameters of the preset, whose layers are one object",
       .where = "Matrices, info",
       .picture = "copies",
       .ours = [] { return Numbers{double(parameterLayout(oneObject()).total)}; }},
      {.text = "(nn.TransformerEncoder copies its layer: three times the weights)",
       .printed = {3 * definedParameters(4, 64)},
       .how = "parameters of the preset encoder-layer-notebook-independent",
       .where = "Matrices, info",
       .preset = "encoder-layer-notebook-independent",
       .picture = "copies",
       .ours = [] { return Numbers{double(parameterLayout(deepCopies()).total)}; }},
      {.text = "Both encoders print the same tensor, to 4 decimals, and the same loss",
       .printed = {5e-5, 5e-5},
       .how = "the largest difference between the outputs of one shared layer and of three copies "
              "of it, and between their squared errors, in double and without dropout",
       .where = "Flow",
       .picture = "copies",
       .ours =
           [] {
             const CopiesTraining run = trainCopies(0);
             return Numbers{run.difference, std::abs(run.shared.front() - run.copies.front())};
           },
       .at_most = true,
       .promised = 1e-12},
      {.text = "(after one step of training they differ, which it does not say)",
       .printed = {1},
       .how = "1 if the largest difference of their outputs exceeds 5e-5 after a step of gradient "
              "descent, rate 0.1, on the squared error",
       .where = "its figure",
       .picture = "copies",
       .ours = [] { return Numbers{trainCopies(1).difference > 5e-5 ? 1.0 : 0.0}; },
       .wrong = "One object gets the gradients of all three layers, each copy its own."},
      {.text = "With dropout, three outputs for the same input differ; without, they do not",
       .printed = {2, 0},
       .how =
           "outputs of three training steps, and of three evaluations, that differ from the first",
       .where = "its figure",
       .picture = "dropout",
       .ours = differingOutputs},
      {.text = "d = d_h h: 4 = 2 x 2",
       .printed = {4, 2, 2},
       .how = "hidden size, key size and heads of the preset",
       .where = "Attention, Matrices",
       .ours =
           [] {
             const LayerSizes sizes = uniformSizes(oneObject()).value();
             return Numbers{double(oneObject().hidden), double(sizes.key_size),
                            double(sizes.heads)};
           }},
      {.text = "batch_first = True: each position attends to the 3 of its sequence",
       .printed = {3},
       .how = "rows of the input that a row of the output depends on, of 2 sequences of 3",
       .where = "Attention",
       .picture = "batch-first",
       .ours =
           [] {
             const Numbers first = reachOfInputs(true).front();
             return Numbers{double(std::ranges::count(first, 1.0))};
           },
       .wrong = "With batch_first = False, it would attend to both sequences at its position "
                "instead."},
      {.text = "Pre-norm: ResConn(MHSA(LayerNorm)), ResConn(MLP(LayerNorm)): two norms before, two "
               "sums",
       .printed = {2, 2},
       .how = "norms of the first layer that stand right before their block, and its residual "
              "connections",
       .where = "Flow",
       .picture = "norms",
       .ours = [] { return normsAndSums(NormPlacement::Pre); }},
      {.text = "Post-norm: LayerNorm(ResConn(MLP)) after LayerNorm(ResConn(MHSA)): no norm before, "
               "two sums",
       .printed = {0, 2},
       .how = "the same of the layer with norm_first = False",
       .where = "its figure",
       .picture = "norms",
       .ours = [] { return normsAndSums(NormPlacement::Post); }},
      {.text = "The tensor in evaluation: -0.0296, -0.0916, 1.0885, -1.0260, ... (24 numbers)",
       .printed = {-0.0296, -0.0916, 1.0885, -1.0260, 0.6635, 0.4575,  1.4182, -0.2418,
                   0.4502,  0.3450,  0.7149, 0.3737,  0.1837, -0.0224, 1.0295, 1.6342,
                   0.3983,  -0.1241, 0.9514, 0.5204,  1.1837, 1.0843,  1.0421, 0.6918},
       .how = kGeneratorOfADevice,
       .where = "nowhere"},
      {.text = "(the same test on a CPU prints, with torch 2.13: -0.0595, -1.3454, -1.0613, ...)",
       .printed = {-0.0595, -1.3454, -1.0613, -1.4295, 1.2379, 1.2059, -0.0848, -3.6825,
                   1.0230,  0.1440,  0.8684,  -1.0063, 1.1216, 1.0694, -0.6896, -1.4907,
                   1.7372,  2.2980,  1.7217,  -1.2796, 1.4173, 0.0057, -1.3696, -4.1422},
       .how = "the same model on weights and inputs drawn as PyTorch's generator for CPUs draws "
              "them, seeds 42 and 0",
       .where = "import, with the weights as a file: see the manual, Models",
       .ours =
           [] {
             return outputsOf(oneObject(), torchParameters(42), torchInput(0), names::kOutput)
                 .values;
           },
       .tolerance = 5.1e-5},
      {.text = "The first tensor in training: 0.6852, -0.1630, 2.2074, -0.9302, ...",
       .printed = {0.6852, -0.1630, 2.2074, -0.9302, 0.9349,  0.6778, 1.9027, -0.1390,
                   0.8390, 0.4592,  1.5378, 0.0823,  -0.1834, 0.3312, 0.7525, 2.1237,
                   0.7906, 0.1192,  1.3922, 0.4578,  0.8707,  0.1922, 0.5967, 0.7011},
       .how = kGeneratorOfADevice,
       .where = "nowhere"},
      {.text = "The third, of the same input with other dropout: 0.2741, -0.4894, 1.8790, ...",
       .printed = {0.2741, -0.4894, 1.8790, -1.0957, 0.7022, 0.7676, 0.8320, -0.2268,
                   0.7146, 0.2815,  0.8392, 1.0298,  0.5085, 0.0161, 1.4960, 2.1186,
                   0.4879, 0.0038,  1.0066, 1.0014,  1.1819, 0.7470, 0.2558, 0.4909},
       .how = kGeneratorOfADevice,
       .where = "nowhere"},
      {.text = "Mean squared error of the second",
       .printed = {0.6275849342346191},
       .how = kGeneratorOfADevice,
       .where = "Train"},
      {.text = "Batches of 2; the loss compares the output with the input",
       .printed = {2, 0},
       .how =
           "sequences in a batch of the recipe; the largest difference between its targets and its "
           "inputs",
       .where = "Train",
       .ours = batchOfTheRecipe},
      {.text = "Seeds 0, 42 and 24; usual feed-forward 2048 and dropout 0.1",
       .printed = {0, 42, 24, 2048, 0.1},
       .how = "not computed: seeds of that generator, and usual values that the test replaces",
       .where = "Matrices"},
  };
}

}  // namespace tfm::reproduce
