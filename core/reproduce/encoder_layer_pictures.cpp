// SPDX-License-Identifier: GPL-3.0-or-later
// Figures of the notebook about PyTorch's encoder layer.
#include <optional>
#include <string>
#include <utility>

#include "core/model/build_program.h"
#include "core/model/model_state.h"
#include "core/model/presets.h"
#include "core/reproduce/encoder_copies.h"
#include "core/reproduce/layer_steps.h"
#include "core/reproduce/model_outputs.h"
#include "core/reproduce/source.h"

namespace tfm::reproduce {
namespace {

ModelConfig encoder() { return presetNamed("encoder-layer-notebook").config(); }

Drawing copies(const std::vector<std::int64_t>& chosen) {
  const CopiesTraining run = trainCopies(chosen[0]);
  Numbers steps;
  for (std::size_t i = 0; i < run.shared.size(); ++i) steps.push_back(double(i));
  return {.x_title = "steps of gradient descent, rate 0.1",
          .y_title = "mean squared error to the input",
          .series = {{"one shared layer, 676 parameters", steps, run.shared},
                     {"three deep copies, 2,028 parameters", steps, run.copies}}};
}

Drawing dropout(const std::vector<std::int64_t>&) {
  const ModelState state = initialState(encoder(), 42);
  const Numbers parameters(state.parameters.begin(), state.parameters.end());
  const Batch batch = featureBatch(encoder(), 1);
  Drawing drawing{.x_title = "number of the output, 3 positions of 4", .y_title = "output"};
  const auto add = [&](const std::string& name, std::optional<std::uint64_t> step) {
    Series series{.name = name,
                  .y = outputsOf(encoder(), parameters, batch, names::kOutput, step).values};
    for (std::size_t i = 0; i < series.y.size(); ++i) series.x.push_back(double(i + 1));
    drawing.series.push_back(std::move(series));
  };
  add("evaluation, without dropout", std::nullopt);
  for (std::uint64_t step = 0; step < 3; ++step)
    add("training " + std::to_string(step + 1) + ", dropout 0.2", step);
  return drawing;
}

Drawing norms(const std::vector<std::int64_t>&) {
  Drawing drawing{.kind = DrawingKind::Circuit};
  for (const auto& [placement, name] :
       {std::pair(NormPlacement::Pre, "pre-norm: x + f(norm(x))"),
        std::pair(NormPlacement::Post, "post-norm: norm(x + f(x))")}) {
    ModelConfig config = encoder();
    config.norm_placement = placement;
    drawing.series.push_back(layerSteps(config, config.source_length, name));
  }
  return drawing;
}

/// Which rows of the input change which of the output: rows (sequence, position).
Drawing batchFirst(const std::vector<std::int64_t>&) {
  Drawing drawing{.kind = DrawingKind::Cells,
                  .x_title = "changed input: sequence.position",
                  .y_title = "1: the output changes"};
  for (int sequence = 1; sequence <= 2; ++sequence)
    for (int position = 1; position <= 3; ++position)
      drawing.names.push_back(std::to_string(sequence) + '.' + std::to_string(position));
  for (const bool batch_first : {true, false}) {
    const std::vector<Numbers> reach = reachOfInputs(batch_first);
    for (std::size_t row = 0; row < reach.size(); ++row)
      drawing.series.push_back({.name = std::string("batch_first = ") +
                                        (batch_first ? "True" : "False") + ", output " +
                                        drawing.names[row],
                                .y = reach[row]});
  }
  return drawing;
}

}  // namespace

std::vector<Picture> encoderLayerPictures() {
  return {
      {.name = "copies",
       .title = "One shared layer beside three deep copies of it",
       .says =
           "The notebook puts the same object into its encoder three times; nn.TransformerEncoder "
           "copies it. Before the first step, both are the same function. Then the shared "
           "layer gets the gradients of all three, and they part.",
       .choices = {{"Steps", 20, 1, 200}},
       .drawn = copies},
      {.name = "dropout",
       .title = "The same input three times with dropout, and once without",
       .says =
           "In training, each run draws other zeros; in evaluation, nothing is drawn, and every "
           "run gives the same numbers.",
       .drawn = dropout},
      {.name = "norms",
       .title = "Pre-norm and post-norm",
       .says = "Read from the programs that run: the notebook's layer with norm_first = True, "
               "y = x + MHSA(LN1(x)), O = y + MLP(LN2(y)), and with False, y = LN1(x + MHSA(x)), "
               "O = LN2(y + MLP(y)). The lines around are the residual connections.",
       .drawn = norms},
      {.name = "batch-first",
       .title = "What batch_first changes",
       .says = "The same two sequences of three positions. With batch_first = True, a position "
               "attends to its own sequence; with False, the first axis counts as the positions, "
               "and it attends to the other sequence instead.",
       .drawn = batchFirst},
  };
}

}  // namespace tfm::reproduce
