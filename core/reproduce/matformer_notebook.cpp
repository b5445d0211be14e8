// SPDX-License-Identifier: GPL-3.0-or-later
// The MatFormer notebook on IMDB reviews with a frozen BERT-mini.
#include <algorithm>
#include <cmath>
#include <string>

#include "core/data/batches.h"
#include "core/matformer/nesting.h"
#include "core/model/build_program.h"
#include "core/model/presets.h"
#include "core/observe/catalog.h"
#include "core/reproduce/matformer_training.h"
#include "core/reproduce/matformer_wiring.h"
#include "core/reproduce/source.h"
#include "core/train/fit_task.h"

namespace tfm::reproduce {
namespace {

constexpr double kTexts = 25'000, kBatch = 32, kTextPositions = 512;

double trainable(const NotebookWiring& wiring = {}) {
  return double(buildNotebookProgram(wiring, 0, {1, 8, 0}, 0).parameters.total);
}

/// 4 layers of 256.
ModelConfig bertMini() {
  ModelConfig c;
  c.architecture = Architecture::Encoder;
  c.output = OutputKind::None;
  c.source_vocabulary = 30'522;
  c.source_length = 512;
  c.hidden = 256;
  c.norm_placement = NormPlacement::Post;
  c.embedding_norm = true;
  c.final_norm = false;
  c.positions = Positions::Learned;
  setUniform(c, 4, 0, {4, 64, 64, 1024, 1e-12});
  return c;
}
/// With the segments and the pooler, which the engine's model lacks.
double parametersOfBertMini() {
  constexpr double kSegments = 2 * 256, kPooler = 256 * 256 + 256;
  return double(parameterLayout(bertMini()).total) + kSegments + kPooler;
}
double feedForwardShare() {
  double layers = 0.0, feed_forward = 0.0;
  for (const ParameterInfo& p : parameterLayout(bertMini()).parameters) {
    if (p.tag.site.layer < 0) continue;
    layers += double(p.size());
    if (p.tag.site.kind == FeedForward::kKind && !p.tag.ofNorm()) feed_forward += double(p.size());
  }
  return feed_forward / layers;
}

/// Its smallest granularity on as many texts and positions as it trains on.
Program notebookProgram() {
  return buildNotebookProgram(NotebookWiring{}, 0,
                              {std::int64_t(kBatch), std::int64_t(kTextPositions), 0}, 0);
}
double keysOfNotebook() {
  return double(observe::attentionSites(notebookProgram()).front().shape.keys);
}
bool notebookReadsPads() { return notebookProgram().find(names::kSourcePad) != kNoTensor; }

/// Largest first, as the notebook lists them.
Numbers widthsDown() {
  const std::vector<std::int64_t> widths = widthsOf({});
  return {widths.rbegin(), widths.rend()};
}

Numbers between() {
  const Numbers widths = widthsDown();
  Numbers halves;
  for (std::size_t i = 0; i + 1 < widths.size(); ++i)
    halves.push_back(std::floor((widths[i] + widths[i + 1]) / 2));
  return halves;
}

Numbers jointWeights() {
  const train::Document recipe = recipeOf(sourceNamed("matformer-notebook"));
  Numbers weights;
  for (const auto& one : matformer::granularities(recipe.state.config, recipe.train.nesting))
    weights.push_back(one.weight);
  return weights;
}

Numbers lengthOfTraining() {
  const train::Document recipe = recipeOf(sourceNamed("matformer-notebook"));
  const ModelConfig& c = recipe.state.config;
  // The built-in sentences are drawn without end; an epoch of the recipe is this many.
  constexpr double kSentences = 10'000.0;
  const double epoch = std::ceil(kSentences / double(recipe.train.batch_size));
  return {double(recipe.train.stop.steps) / epoch,
          double(presetNamed("matformer-notebook").config().source_length), double(c.output_size),
          c.residual_dropout};
}

}  // namespace

std::vector<Claim> matformerClaims() {
  return {
      {.text = "d_ff 2048, 4 granularities, 2 layers, 4 heads, 512 units in the head",
       .printed = {2048, 4, 2, 4, 512},
       .how = "the notebook's wiring",
       .where = "Elastic; reproduce",
       .ours =
           [] {
             const NotebookWiring w;
             return Numbers{double(w.feed_forward), double(w.granularities), double(w.layers),
                            double(w.heads), double(w.head_size)};
           },
       .wrong = "b2[:m_i] fails for widths below the hidden size, 256; here none is."},
      {.text = "10 epochs; texts of 512 tokens; labels 1 and 2 become 0 and 1; dropout 0",
       .printed = {10, 512, 2, 0},
       .how = "the recipe's steps in epochs of 10,000 sentences, positions of its preset, classes, "
              "dropout",
       .where = "Train, stop after; New run",
       .picture = "losses",
       .ours = lengthOfTraining,
       .wrong = "Its only printed training stops after 140 of the 782 batches of the first epoch."},
      {.text = "b2[:m_i]: the second bias of the widths 2048, 1024, 512, 256 has 256 entries",
       .printed = {256, 256, 256, 256},
       .how = "the smaller of m_i and the hidden size",
       .where = "Elastic; reproduce",
       .picture = "second-bias",
       .ours =
           [] {
             Numbers entries = widthsDown();
             for (double& one : entries) one = std::min(one, double(NotebookWiring{}.hidden));
             return entries;
           },
       .wrong = "b_2 belongs to the hidden states and is not nested; at d_ff 1024, the smallest "
                "would have 128 entries, and the sum fails."},
      {.text = "Adam, learning rate 0.001, batches of 32, seed 42",
       .printed = {0.001, 32, 42},
       .how = "the recipe",
       .where = "Train; train",
       .ours =
           [] {
             const train::TrainConfig t = sourceNamed("matformer-notebook").training();
             return Numbers{t.schedule.learning_rate, double(t.batch_size), double(t.seed)};
           }},
      {.text = "Trainable parameters: 1183489",
       .printed = {1'183'489},
       .how = "parameters of the notebook's wiring: one feed-forward, the last norm, the head",
       .where = "Elastic; reproduce",
       .ours = [] { return Numbers{trainable()}; },
       .wrong = "Attention and norms lie in a plain list: they are not counted, trained or saved."},
      {.text = "Total parameters: 12354049",
       .printed = {12'354'049},
       .how = "the trainable ones and a BERT of 4 layers, hidden size 256, with its segments and "
              "pooler, which the program does not run",
       .where = "info, of a model with a frozen encoder",
       .ours = [] { return Numbers{trainable() + parametersOfBertMini()}; }},
      {.text = "Granularities 2048, 1024, 512, 256",
       .printed = {2048, 1024, 512, 256},
       .how = "the notebook's wiring",
       .where = "Elastic",
       .ours = widthsDown},
      {.text = "Widths between them: 1536, 768, 384",
       .printed = {1536, 768, 384},
       .how = "half of two neighbours' sum",
       .where = "Elastic, widths",
       .ours = between},
      {.text = "M_1 is nested in M_2, and so on to M_4, the whole",
       .printed = {1},
       .how = "1 if the first of the code's granularities is the smallest, else 0",
       .where = "Elastic",
       .ours =
           [] {
             const Numbers widths = widthsDown();
             return Numbers{widths.front() < widths.back() ? 1.0 : 0.0};
           },
       .right = {0},
       .wrong = "So say the formulas; in the code and in the results, M1 is the largest and M4 the "
                "smallest, and each has an attention and norms of its own, so that none is part of "
                "another. Elastic calls the sizes S to XL."},
      {.text = "The traditional model, one layer, loads the file: all keys matched",
       .printed = {0},
       .how = "parameters of the wiring with 2 layers and 4 granularities, less those with one of "
              "each",
       .where = "Elastic; reproduce",
       .ours =
           [] {
             NotebookWiring traditional;
             traditional.layers = 1;
             traditional.granularities = 1;
             return Numbers{trainable() - trainable(traditional)};
           },
       .wrong =
           "They match because what differs, attention and norms of the layers, is not saved."},
      {.text = "A loaded model is the saved one (answers of 32 texts that change)",
       .printed = {0},
       .how = "logits of random texts before and after drawing anew what is not saved",
       .where = "Elastic; reproduce",
       .ours = [] { return Numbers{logitsThatLoadingChanges()}; },
       .right = {kBatch},
       .wrong = "Loading makes the attention anew: each answer changes."},
      {.text =
           "Mix'n'Match chooses a granularity for each layer: a combinatorially large number of "
           "submodels (4^2 = 16 of 2 layers)",
       .printed = {16},
       .how = "the widths that forward_mix() can give to 2 layers: one of 3 for both",
       .where = "Elastic, Mix'n'Match",
       .ours = [] { return Numbers{double(between().size())}; },
       .right = {3},
       .wrong =
           "4 granularities in 2 layers would be 16, and Elastic draws them; the code gives all "
           "layers the same width between two granularities."},
      {.text = "Each position of a text attends to its 512 positions",
       .printed = {kTextPositions},
       .how = "keys of the attention in the notebook's wiring, for 32 texts of 512 positions",
       .where = "Elastic; reproduce",
       .ours = [] { return Numbers{keysOfNotebook()}; },
       .right = {kBatch},
       .wrong =
           "nn.MultiheadAttention takes the first axis for the positions (batch_first = False): "
           "a position attends to the same position of the 32 texts, and answers depend on the "
           "rest of the batch."},
      {.text = "An answer is that of its text (answers of a batch of 32 that change if read alone)",
       .printed = {0},
       .how = "logits of random texts, in a batch and one at a time",
       .where = "Elastic; reproduce",
       .ours = [] { return Numbers{logitsThatDependOnTheBatch()}; },
       .right = {kBatch},
       .wrong = "Each answer changes: the other texts of the batch are what attention sees."},
      {.text =
           "Joint optimization makes each submodel accurate, in percent: M4 to M1, then those of "
           "the published wiring",
       .how = "1,500 steps of the recipe with the sizes of sentiment-classifier; 512 held-out "
              "built-in sentences, where the order of words decides",
       .where = "Elastic; reproduce",
       .preset = "sentiment-classifier",
       .learned = [](const Progress& progress) { return accuraciesOfWirings(1500, progress); },
       .tolerance = 8.0,
       .right = {50, 50, 50, 50, 80, 80, 80, 80},
       .wrong = "Its attention is neither trained nor sees words: its submodels guess."},
      {.text = "attention_mask keeps pads out of the answer",
       .printed = {1},
       .how = "1 if the notebook's wiring reads which positions are pads, else 0",
       .where = "Elastic; reproduce",
       .ours = [] { return Numbers{notebookReadsPads() ? 1.0 : 0.0}; },
       .right = {0},
       .wrong = "Only BERT is given it: the layers attend to pads, and the mean counts them."},
      {.text = "Ratios of the feed-forward: 0.5, 1, 2, 4",
       .printed = {0.5, 1, 2, 4},
       .how = "widths divided by the hidden size, 256",
       .where = "Elastic",
       .ours =
           [] {
             Numbers ratios = widthsDown();
             std::ranges::reverse(ratios);
             for (double& ratio : ratios) ratio /= double(NotebookWiring{}.hidden);
             return ratios;
           },
       .right = {1, 2, 4, 8},
       .wrong = "The text quotes the paper; BERT-mini with d_ff 2048 has 1, 2, 4 and 8."},
      {.text = "The ratio is typically at least 4",
       .printed = {4},
       .how = "that of BERT-mini's own layers",
       .where = "Elastic",
       .ours =
           [] {
             const ModelConfig c = bertMini();
             return Numbers{double(uniformSizes(c).value().feed_forward) / double(c.hidden)};
           }},
      {.text = "Each loss has the weight 1 / 4",
       .printed = {0.25, 0.25, 0.25, 0.25},
       .how = "weights of the recipe's granularities",
       .where = "Elastic, nesting",
       .ours = jointWeights,
       .tolerance = 1e-12},
      {.text = "The feed-forward is around 60 % of size and cost",
       .printed = {0.6},
       .how = "its share of the parameters, not of the cost, of BERT-mini's layers, whose ratio is "
              "4",
       .where = "Matrices, info",
       .ours = [] { return Numbers{feedForwardShare()}; },
       .tolerance = 0.1},
      {.text = "25000 texts, 782 batches; 140 of them are 18 %",
       .printed = {782, 18},
       .how = "25,000 / 32 rounded up; 140 of these in percent",
       .where = "Train, data",
       .ours =
           [] {
             const double batches = std::ceil(kTexts / kBatch);
             return Numbers{batches, std::round(100 * 140 / batches)};
           }},
      {.text = "05:37 left, in seconds, at 1.90 batches a second",
       .printed = {5 * 60 + 37},
       .how = "(782 - 140) / 1.90, rounded down",
       .where = "Train, time left",
       .ours = [] { return Numbers{std::floor((std::ceil(kTexts / kBatch) - 140) / 1.90)}; }},
      {.text = "1.90 batches a second, 01:05 for the first 140",
       .printed = {1.90, 65},
       .how = "not computed: a speed of that machine; 140 batches in 65 seconds are 2.15, and 1.90 "
              "is the latest",
       .where = "bench"},
      {.text = "torch.Size([32, 512, 768]) and torch.Size([32, 768])",
       .printed = {32, 512, 768, 32, 768},
       .how = "batch, positions and hidden size of the notebook's wiring",
       .where = "Attention; features",
       .ours =
           [] {
             const double hidden = double(NotebookWiring{}.hidden);
             return Numbers{kBatch, kTextPositions, hidden, kBatch, hidden};
           },
       .right = {32, 512, 256, 32, 256},
       .wrong = "Left from an encoder of width 768; BERT-mini has 256."},
      {.text = "Loss: total_loss / batch_size (how many times the mean loss that is)",
       .printed = {1},
       .how = "782 batches / 32",
       .where = "Train",
       .picture = "losses",
       .ours = [] { return Numbers{std::ceil(kTexts / kBatch) / kBatch}; },
       .right = {24.4375},
       .wrong = "It divides by the size of a batch instead of their number."},
      {.text = "Accuracy of the traditional transformer with 2048 neurons: 0.81556",
       .printed = {0.81556},
       .how = "not computed: it needs BERT-mini's weights and all 50,000 reviews; the manual "
              "(Studies) has a comparison on 5,000",
       .where = "Elastic; nesting-study",
       .picture = "accuracies",
       .wrong = "It has one layer (num_layers = 1 in a comment), and the nested model has two."},
      {.text = "(0.81556 of 25,000 is a whole number of reviews)",
       .printed = {20'389},
       .how = "0.81556 x 25,000",
       .where = "Elastic",
       .picture = "accuracies",
       .ours = [] { return Numbers{0.81556 * kTexts}; },
       .tolerance = 1e-6},
      {.text = "Losses by epoch, accuracies of M1 to M4 and of the widths between them",
       .how = "not computed: pictures that are not part of the document; the figures here show the "
              "recipe on other texts",
       .where = "Elastic",
       .picture = "accuracies"},
      {.text =
           "All submodels are about as good; the traditional transformer is slightly better and "
           "easier to train",
       .how =
           "not computed: a comparison without numbers; the figure has it for the recipe on other "
           "texts, and the manual (Studies) for IMDB with three seeds",
       .where = "Elastic; nesting-study",
       .picture = "accuracies"},
      {.text = "An answer is positive above 0.5",
       .printed = {0.5},
       .how = "the share that the likelier of two classes exceeds",
       .where = "Write, Attention",
       .ours =
           [] {
             return Numbers{1.0 / double(presetNamed("matformer-notebook").config().output_size)};
           }},
  };
}

}  // namespace tfm::reproduce
