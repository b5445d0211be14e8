// SPDX-License-Identifier: GPL-3.0-or-later
// "Another annotated transformer", which learns rot13.
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "core/ask/answering.h"
#include "core/data/batches.h"
#include "core/data/task_table.h"
#include "core/model/build_program.h"
#include "core/model/presets.h"
#include "core/model/sinusoid.h"
#include "core/reproduce/annotated_numbers.h"
#include "core/reproduce/decode_loop.h"
#include "core/reproduce/learning_curves.h"
#include "core/reproduce/source.h"
#include "core/train/fit_task.h"
#include "core/train/trainer.h"

namespace tfm::reproduce {
namespace {

const std::vector<std::string> kWords{"hey", "there", "ma", "dood"};

Numbers parametersOf(const ModelConfig& config) { return {double(parameterLayout(config).total)}; }

Claim presetHas(const std::string& what, double parameters, const char* preset) {
  return {.text = what,
          .printed = {parameters},
          .how = "parameters of the preset " + std::string(preset),
          .where = "Matrices; info --preset",
          .preset = preset,
          .picture = "counts",
          .ours = [=] { return parametersOf(presetNamed(preset).config()); }};
}

/// The encoder-decoder with another size of each head.
ModelConfig withHeadSize(std::int64_t size) {
  ModelConfig c = presetNamed("annotated-encoder-decoder").config();
  setUniform(c, 3, 3, {7, size, size, 13, 1e-6});
  return c;
}

/// The words as ids, padded to the longest.
Numbers paddedIds() {
  const data::Vocabulary letters = data::Vocabulary::annotated();
  Numbers ids;
  for (const std::string& word : kWords) {
    for (const std::int32_t id : letters.encode(word)) ids.push_back(id);
    ids.insert(ids.end(), 5 - word.size(), letters.pad());
  }
  return ids;
}

/// The letters of the right answer to a word, and to that answer.
Numbers rot13Twice(const std::string& word) {
  const auto task = data::makeTask(data::defaultTaskConfig("rot13"));
  const data::Ids once = task->rightAnswer(task->encodeInput(word)).value();
  const std::string answer = task->targetVocabulary().decode(once);
  const data::Ids twice = task->rightAnswer(task->encodeInput(answer)).value();
  Numbers ids(once.begin(), once.end());
  ids.insert(ids.end(), twice.begin(), twice.end());
  return ids;
}

Numbers idsOf(const std::vector<std::string>& words) {
  Numbers ids;
  for (const std::string& word : words)
    for (const std::int32_t id : data::Vocabulary::annotated().encode(word)) ids.push_back(id);
  return ids;
}

/// The recipe's model after so many steps; null if ended.
std::unique_ptr<train::Trainer> trained(bool as_written, std::int64_t steps,
                                        const Progress& progress) {
  return trainedFor(recipeOf(sourceNamed("annotated-transformer"), as_written), steps, progress);
}

/// Its decode loop for the four words.
std::optional<Numbers> loopInTheEnd(const Progress& progress) {
  const auto trainer = trained(false, 10'000, progress);
  if (!trainer) return std::nullopt;
  const LoopEnd end = notebookLoop(*trainer, kWords);
  return Numbers{double(end.passes), double(end.width), double(end.positions)};
}

/// What the recipe's model answers in the end, as ids.
std::optional<Numbers> answersInTheEnd(const Progress& progress) {
  const auto trainer = trained(false, 10'000, progress);
  if (!trainer) return std::nullopt;
  std::vector<std::string> answers;
  for (const train::AnsweredQuestion& answered : train::answer(
           trainer->state(), trainer->task(), trainer->framing(), kWords, {}, trainer->backend()))
    answers.push_back(answered.answer);
  return idsOf(answers);
}

}  // namespace

std::vector<Claim> annotatedClaims() {
  const train::ScheduleConfig written = train::notebookSchedule();
  return {
      {.text = "28 tokens; <start> is 26, <pad> 27",
       .printed = {28, 26, 27},
       .how = "the vocabulary of the task rot13",
       .where = "Matrices, token table; New run",
       .picture = "batch",
       .ours =
           [] {
             const data::Vocabulary letters = data::Vocabulary::annotated();
             return Numbers{double(letters.size()), double(letters.start()), double(letters.pad())};
           }},
      {.text = "hey, there, ma, dood as a padded batch of ids",
       .printed = {7, 4, 24, 27, 27, 19, 7, 4, 17, 4, 12, 0, 27, 27, 27, 3, 14, 14, 3, 27},
       .how = "the vocabulary of the task rot13",
       .where = "Attention; data --task rot13",
       .picture = "batch",
       .ours = paddedIds},
      {.text = "An embedding of 28 tokens at d = 2 has the shape (28, 2)",
       .printed = {28, 2},
       .how = "the token table of the model at hidden size 2",
       .where = "Matrices",
       .picture = "embedding",
       .ours = embeddingShape},
      {.text = "An embedding maps N tokens to d numbers, d much smaller than N",
       .printed = {1},
       .how = "1 if the hidden size of the preset annotated-encoder is below its 28 tokens, else 0",
       .where = "Matrices",
       .preset = "annotated-encoder",
       .ours =
           [] {
             const ModelConfig c = presetNamed("annotated-encoder").config();
             return Numbers{c.hidden < c.source_vocabulary ? 1.0 : 0.0};
           },
       .right = {0},
       .wrong = "The models that it counts have d = 30 for 28 tokens; that of rot13 has 8."},
      {.text = "Rows of the embedding of a, b, c: 0.35985, -0.75417924, -1.206328, ...",
       .printed = {0.35985, -0.75417924, -1.206328, 0.7793859, 0.11096746, -1.0079818},
       .how = "not computed: drawn by JAX's random generator as flax used it then; flax 0.12 draws "
              "others from the same key. That they are rows of the table holds for any numbers",
       .where = "Matrices",
       .picture = "embedding"},
      {.text = "The embedding grabs the i-th row of the matrix",
       .printed = {0},
       .how =
           "the largest difference between what the encoder reads for a, b, c and rows 0 to 2 of "
           "the table, times sqrt(8)",
       .where = "Matrices, Flow",
       .picture = "embedding",
       .ours = lookedUp,
       .tolerance = 1e-12},
      {.text = "sin_pos_enc(5, 2)",
       .printed = {0, 1, 0.841471, 0.5403023, 0.9092974, -0.41614684, 0.14112002, -0.9899925,
                   -0.7568025, -0.6536436},
       .how = "the sinusoid of the engine, in double",
       .where = "Flow; probe",
       .picture = "sinusoid",
       .ours = [] { return sinusoid(5, 2, 2); },
       .tolerance = 1e-6},
      {.text = "Angles are i / 10000^(j / d): the base 10000",
       .printed = {10'000},
       .how = "from the sine at position 1, column 2 of 4: asin(it)^-2",
       .where = "Flow; probe",
       .picture = "sinusoid",
       .ours = [] { return Numbers{std::pow(std::asin(sinusoid(2, 4, 4)[6]), -2.0)}; },
       .tolerance = 1e-6},
      {.text = "Attention of Q (13, 3, 7), K (13, 5, 7), V (13, 5, 11) has the shapes (13, 3, 11) "
               "and (13, 3, 5)",
       .printed = {13, 3, 11, 13, 3, 5},
       .how = "shapes of the engine's attention of one head on such inputs, without maps",
       .where = "Attention",
       .ours = shapesOfBareAttention},
      {.text = "One linear layer and a reshape are as good as one for each head",
       .printed = {0},
       .how = "the largest difference between the queries of the one map, and those of each head "
              "from its own rows of the matrix",
       .where = "Matrices; Attention",
       .picture = "stacked-heads",
       .ours = [] { return Numbers{stackedHeadsDifference()}; },
       .tolerance = 1e-12},
      presetHas("The attention with 2 heads of size 2 at d = 3 has 63 parameters", 63,
                "annotated-attention"),
      {.text = "Its kernels and biases: (3, 4) and (4) of queries, keys and values, (4, 3) and (3)",
       .printed = {3, 4, 4, 3, 4, 4, 3, 4, 4, 4, 3, 3},
       .how = "shapes of its parameters, inputs x outputs",
       .where = "Matrices",
       .preset = "annotated-attention",
       .ours = shapesOfItsMaps},
      {.text = "Its maps have 16, 16, 16 and 15; 64, 64, 64, 60 and together 252 bytes",
       .printed = {16, 16, 16, 15, 64, 64, 64, 60, 252},
       .how = "parameters of its query, key, value and output; four bytes each",
       .where = "Matrices",
       .preset = "annotated-attention",
       .picture = "stacked-heads",
       .ours =
           [] {
             Numbers maps = parametersOfItsMaps();
             for (int i = 0; i < 4; ++i) maps.push_back(4 * maps[std::size_t(i)]);
             maps.push_back(4 * (maps[0] + maps[1] + maps[2] + maps[3]));
             return maps;
           }},
      {.text = "Shapes in its table: (2, 5, 3) input, (2, 5, 4) queries, (2, 2, 5, 5) weights, "
               "(2, 5, 3) output",
       .printed = {2, 5, 3, 2, 5, 4, 2, 2, 5, 5, 2, 5, 3},
       .how = "tensors of the preset annotated-attention on 2 sequences of 5",
       .where = "Attention; probe",
       .preset = "annotated-attention",
       .ours = shapesInItsAttention},
      {.text = "Encoder and decoder: embeddings of 2 * 3 * 5, 3 layers, 7 heads of 17, 13 hidden "
               "units; the encoder-decoder: heads of 3",
       .printed = {30, 3, 7, 17, 13, 30, 3, 7, 3, 13},
       .how = "the presets annotated-encoder and annotated-encoder-decoder",
       .where = "Matrices; info --preset",
       .preset = "annotated-encoder",
       .picture = "counts",
       .ours =
           [] {
             Numbers sizes = layerSizesOf("annotated-encoder");
             for (const double one : layerSizesOf("annotated-encoder-decoder"))
               sizes.push_back(one);
             return sizes;
           }},
      presetHas("The encoder has 47,670 parameters", 47'670, "annotated-encoder"),
      presetHas("The decoder has 91,291 parameters", 91'291, "annotated-decoder"),
      {.text = "causal_mask((1, 5, 5)): true above the diagonal",
       .printed = {0, 1, 1, 1, 1, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0},
       .how = "probabilities of 0 in the decoder's self-attention",
       .where = "Attention, Masked",
       .picture = "causal-mask",
       .ours = causalMask},
      {.text = "Pads of hey, there, ma, dood are masked",
       .printed = {2, 0, 3, 1},
       .how = "keys whose probability is 0 in the encoder, of each word",
       .where = "Attention, Masked",
       .picture = "pad-mask",
       .ours = maskedPads},
      {.text = "Masked scores get -10,000",
       .printed = {-10'000},
       .how =
           "the masked score of a padded key less its score / sqrt(5); a causal mask leaves keys "
           "out altogether",
       .where = "Flow; probe",
       .ours = padScore,
       .tolerance = 1e24,  // of a float
       .right = {kPadScore},
       .wrong = "Scores of trained models can be larger, those of ANNalog reach 1.5 million, and "
                "then pads are read. Here it is -1e30."},
      {.text = "Masking with 0 is unwise: e^0 = 1, and e^-inf is 0",
       .printed = {1, 0},
       .how = "the exponential of 0 and of -10,000, in double",
       .where = "Flow",
       .ours =
           [] {
             return Numbers{std::exp(0.0), std::exp(-10'000.0)};
           }},
      {.text = "A tiny encoder-decoder has over 140 thousand parameters",
       .printed = {140'000},
       .how = "parameters of the preset annotated-encoder-decoder, whose sizes are those below the "
              "sentence",
       .where = "Matrices; info --preset",
       .preset = "annotated-encoder-decoder",
       .picture = "sizes",
       .ours = [] { return parametersOf(withHeadSize(3)); },
       .right = {31'903},
       .wrong = "Its own count, below, is 31,903; 140,389 are those with heads of size 17."},
      presetHas("num_params(params) = 31903", 31'903, "annotated-encoder-decoder"),
      {.text =
           "(its encoder and decoder above, with heads of size 17, make over 140 thousand: 47,670 "
           "+ 91,291 and the maps of memories of 30 numbers instead of 28)",
       .printed = {47'670 + 91'291 + 3 * 2 * (30 - 28) * 7 * 17},
       .how = "parameters of the same model with heads of size 17",
       .where = "info",
       .picture = "sizes",
       .ours = [] { return parametersOf(withHeadSize(17)); }},
      {.text = "asdfqwerz => nfqsdjrem => asdfqwerz",
       .printed = idsOf({"nfqsdjrem", "asdfqwerz"}),
       .how = "the right answers of the task rot13, as ids",
       .where = "Write; Train, answers",
       .ours = [] { return rot13Twice("asdfqwerz"); }},
      {.text = "Embeddings of 8, 1 layer, 7 heads of 5, hidden layer of 5; batches of 50 words of "
               "up to "
               "15 positions, no dropout, gradients clipped at 1, 10,000 steps",
       .printed = {8, 1, 7, 5, 5, 50, 15, 0, 1, 10'000},
       .how = "the recipe",
       .where = "Train; reproduce annotated-transformer --out, then train --resume",
       .ours =
           [] {
             const train::Document recipe = recipeOf(sourceNamed("annotated-transformer"));
             const ModelConfig& c = recipe.state.config;
             const LayerSizes sizes = uniformSizes(c).value();
             return Numbers{double(c.hidden),
                            double(c.encoder_layers.size()),
                            double(sizes.heads),
                            double(sizes.key_size),
                            double(sizes.feed_forward),
                            double(recipe.train.batch_size),
                            double(recipe.task->max_length),
                            c.attention_dropout + c.residual_dropout,
                            recipe.train.clip_norm,
                            double(recipe.train.stop.steps)};
           }},
      {.text = "Each letter is shifted by 13 of 26; words of 1 to 14 letters",
       .printed = {13, 26, 1, 14},
       .how =
           "the shift of each letter in the right answer to a ... z; the shortest and longest of "
           "1,000 training words",
       .where = "Train, answers",
       .ours = shiftsAndLengths},
      {.text = "Pads are ignored in the loss",
       .printed = {0},
       .how = "1 if the recipe's loss counts all 50 x 15 positions of a batch",
       .where = "Train; New run, loss positions",
       .picture = "batch",
       .ours =
           [] {
             const train::Document recipe = recipeOf(sourceNamed("annotated-transformer"));
             const auto task = train::makeTask(recipe);
             const Batch batch = data::trainingBatch(
                 *task, train::framingFor(recipe.state.config, *task), 0, 0, 50);
             return Numbers{std::ranges::count_if(batch.label_weights,
                                                  [](float w) { return w > 0.0F; }) == 50 * 15
                                ? 1.0
                                : 0.0};
           },
       .right = {1},
       .wrong = "Its code takes the mean over all positions. The first pad ends a word and must be "
                "learned; the others need not."},
      presetHas("The model of rot13 has 4,665 parameters", 4665, "annotated-rot13"),
      {.text = "The schedule: 0.5 to 0.8 in 100 steps, held for 100, halved every 200, at least "
               "0.001",
       .printed = {0.5, 0.8, 0.8, 0.4, 0.001},
       .how = "the rate at steps 0, 100, 200, 400 and 10,000 of the schedule as written",
       .where = "Train, learning rate",
       .picture = "rates",
       .ours =
           [written] {
             Numbers rates;
             for (const std::int64_t step : {0, 100, 200, 400, 10'000})
               rates.push_back(train::learningRate(written, step));
             return rates;
           },
       .tolerance = 1e-12},
      {.text = "After 10,000 steps: url, gurer, zn, qbbq",
       .printed = idsOf({"url", "gurer", "zn", "qbbq"}),
       .how = "trained for 10,000 steps with the rate that really runs, 0.5; answers as ids",
       .where = "Train; reproduce annotated-transformer --out, then train --resume",
       .picture = "schedules",
       .learned = answersInTheEnd,
       .wrong = "`params, opt_params = train_step(...)` hands the new state to a mistyped name, so "
                "the rate stays 0.5: that is why it works."},
      {.text = "Trained with the schedule as written, the model does rot13",
       .printed = {1},
       .how = "1 if more than 10 % of 1,000 words are right after 10,000 steps, else 0",
       .where = "Train, learning rate",
       .picture = "schedules",
       .learned = [](const Progress& progress) -> std::optional<Numbers> {
         const auto trainer = trained(true, 10'000, progress);
         if (!trainer) return std::nullopt;
         return Numbers{trainer->evaluate(1000).accuracy > 0.1 ? 1.0 : 0.0};
       },
       .right = {0},
       .wrong = "The rate decays before the letters are learned."},
      {.text = "(its decode loop for these four words: passes, positions of the last, of all)",
       .printed = {5, 6, 20},
       .how = "the loop as it is written, after 10,000 steps",
       .where = "Write",
       .picture = "decode-loop",
       .learned = loopInTheEnd,
       .wrong = "It computes all positions anew in each pass, and the encoder, too."},
      {.text =
           "(the loop starts with 2 positions: operations of its first pass, the decoder's, and "
           "what the newest adds)",
       .how = "not computed: the document has no numbers for it; the figure has ours",
       .where = "Flow",
       .picture = "decode-loop"},
      {.text = "10,000 steps take about 3 minutes on a laptop",
       .printed = {3},
       .how = "not computed: a speed of that machine",
       .where = "Train"},
      {.text = "... => hey, there, ma, dood",
       .printed = idsOf({"hey", "there", "ma", "dood"}),
       .how = "the right answers to url, gurer, zn, qbbq, as ids",
       .where = "Train, answers",
       .ours =
           [] {
             Numbers ids;
             for (const char* word : {"url", "gurer", "zn", "qbbq"}) {
               const Numbers both = rot13Twice(word);
               ids.insert(ids.end(), both.begin(), both.begin() + std::ssize(both) / 2);
             }
             return ids;
           }},
      {.text = "Dropout 0.1, 0.2, 0.3 in the examples of sizes; PRNGKey(0); a mask of inputs below "
               "0.8",
       .printed = {0.1, 0.2, 0.3, 0, 0.8},
       .how = "not computed: they change no count, and rot13 is trained without dropout",
       .where = "Matrices"},
  };
}

}  // namespace tfm::reproduce
