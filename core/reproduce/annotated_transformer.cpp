// SPDX-License-Identifier: GPL-3.0-or-later
// "Another annotated transformer", which learns rot13.
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "core/data/task_table.h"
#include "core/model/build_program.h"
#include "core/model/presets.h"
#include "core/model/sinusoid.h"
#include "core/reproduce/model_outputs.h"
#include "core/reproduce/source.h"
#include "core/train/answering.h"
#include "core/train/trainer.h"

namespace tfm::reproduce {
namespace {

const std::vector<std::string> kWords{"hey", "there", "ma", "dood"};

Numbers parametersOf(const ModelConfig& config) { return {double(parameterLayout(config).total)}; }

Claim presetHas(const std::string& what, double parameters, const char* preset) {
  return {.text = what,
          .printed = {parameters},
          .how = "parameters of the preset " + std::string(preset),
          .where = "info --preset " + std::string(preset),
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

/// Parameters of the query, key, value and output maps of the single attention.
Numbers parametersOfItsMaps() {
  Numbers maps(4);
  const ParameterLayout layout = parameterLayout(presetNamed("annotated-attention").config());
  const char* names[]{"query", "key", "value", "output"};
  for (const ParameterInfo& p : layout.parameters)
    for (std::size_t i = 0; i < 4; ++i)
      if (p.name.find(names[i]) != std::string::npos) maps[i] += double(p.size());
  return maps;
}

/// Shapes in the single attention on 2 sequences of 5: of the queries, of the weights, of the
/// output.
Numbers shapesInItsAttention() {
  constexpr std::int64_t kSequences = 2, kLength = 5;
  const ModelConfig c = presetNamed("annotated-attention").config();
  const ModelState state = initialState(c, 0);
  const Numbers parameters(state.parameters.begin(), state.parameters.end());
  const Batch batch = featureBatch(c, kSequences);
  const auto shape = [&](std::string_view tensor) {
    const Outputs o = outputsOf(c, parameters, batch, tensor);
    return std::pair(double(o.rows / (kSequences * kLength)), double(o.cols));
  };
  const auto [once, queries] = shape("self_attention.query");
  const auto [heads, keys] = shape("self_attention.probabilities");
  const auto [again, outputs] = shape(names::kOutput);
  return {kSequences * once,  kLength, queries, kSequences, heads, kLength, keys,
          kSequences * again, kLength, outputs};
}

/// Where the decoder's positions may not look: 1.
Numbers causalMask() {
  constexpr std::int64_t kLength = 5;
  ModelConfig c = presetNamed("annotated-rot13").config();
  c.source_length = c.target_length = kLength;
  const ModelState state = initialState(c, 0);
  Batch batch;
  batch.size = 1;
  batch.source_length = batch.target_length = kLength;
  batch.source = batch.target = {7, 4, 24, 0, 1};
  batch.source_pad.assign(kLength, 0);
  const Numbers parameters(state.parameters.begin(), state.parameters.end());
  const Outputs heads =
      outputsOf(c, parameters, batch, "decoder.layers.0.self_attention.probabilities");
  Numbers mask;
  for (std::int64_t i = 0; i < kLength * kLength; ++i)  // of the first head
    mask.push_back(heads.values[std::size_t(i)] < 1e-9 ? 1.0 : 0.0);
  return mask;
}

Numbers embeddingShape() {
  ModelConfig c = presetNamed("annotated-rot13").config();
  c.hidden = 2;
  for (const ParameterInfo& p : parameterLayout(c).parameters)
    if (p.name == "encoder.embedding.weight") return {double(p.rows()), double(p.cols())};
  return {};
}

/// The recipe's model after so many steps; null if ended.
std::unique_ptr<train::Trainer> trained(const train::ScheduleConfig& schedule, std::int64_t steps,
                                        const Progress& progress) {
  train::Document document = recipeOf(sourceNamed("annotated-transformer"));
  const auto task = train::makeTask(document);
  train::TrainConfig config = document.train;
  config.schedule = schedule;
  auto trainer = std::make_unique<train::Trainer>(task, std::move(document.state), config, 1);
  while (trainer->stepsDone() < steps) {
    trainer->step();
    if (!progress(double(trainer->stepsDone()) / double(steps))) return nullptr;
  }
  return trainer;
}

/// What the recipe's model answers in the end, as ids.
std::optional<Numbers> answersInTheEnd(const Progress& progress) {
  const train::TrainConfig recipe = sourceNamed("annotated-transformer").training();
  const auto trainer = trained(recipe.schedule, recipe.stop.steps, progress);
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
       .where = "New run, data",
       .ours =
           [] {
             const data::Vocabulary letters = data::Vocabulary::annotated();
             return Numbers{double(letters.size()), double(letters.start()), double(letters.pad())};
           }},
      {.text = "hey, there, ma, dood as a padded batch of ids",
       .printed = {7, 4, 24, 27, 27, 19, 7, 4, 17, 4, 12, 0, 27, 27, 27, 3, 14, 14, 3, 27},
       .how = "the vocabulary of the task rot13",
       .where = "data --task rot13",
       .ours = paddedIds},
      {.text = "An embedding of 28 tokens at d = 2 has the shape (28, 2)",
       .printed = {28, 2},
       .how = "the token table of the model at hidden size 2",
       .where = "Matrices",
       .ours = embeddingShape},
      {.text = "Rows of the embedding of a, b, c: 0.35985, -0.75417924, -1.206328, ...",
       .printed = {0.35985, -0.75417924, -1.206328, 0.7793859, 0.11096746, -1.0079818},
       .how =
           "not computed: drawn by JAX's random generator. That they are rows of the table holds "
           "for any numbers",
       .where = "Matrices"},
      {.text = "sin_pos_enc(5, 2)",
       .printed = {0, 1, 0.841471, 0.5403023, 0.9092974, -0.41614684, 0.14112002, -0.9899925,
                   -0.7568025, -0.6536436},
       .how = "the sinusoid of the engine, in double",
       .where = "Attention, positions",
       .ours = [] { return sinusoid(5, 2, 2); },
       .tolerance = 1e-6},
      {.text = "Attention of Q (13, 3, 7), K (13, 5, 7), V (13, 5, 11) has the shapes (13, 3, 11) "
               "and (13, 3, 5)",
       .printed = {13, 3, 11, 13, 3, 5},
       .how = "not computed: no model here has values without a map before them",
       .where = "Attention"},
      presetHas("The attention with 2 heads of size 2 at d = 3 has 63 parameters", 63,
                "annotated-attention"),
      {.text = "Its maps have 16, 16, 16 and 15; 252 bytes",
       .printed = {16, 16, 16, 15, 252},
       .how = "parameters of its query, key, value and output; four bytes each",
       .where = "Matrices",
       .ours =
           [] {
             Numbers maps = parametersOfItsMaps();
             maps.push_back(4 * (maps[0] + maps[1] + maps[2] + maps[3]));
             return maps;
           }},
      {.text = "Shapes in its table: (2, 5, 4) queries, (2, 2, 5, 5) weights, (2, 5, 3) output",
       .printed = {2, 5, 4, 2, 2, 5, 5, 2, 5, 3},
       .how = "tensors of the preset annotated-attention on 2 sequences of 5",
       .where = "probe, Attention",
       .ours = shapesInItsAttention},
      presetHas("The encoder has 47,670 parameters", 47'670, "annotated-encoder"),
      presetHas("The decoder has 91,291 parameters", 91'291, "annotated-decoder"),
      {.text = "causal_mask((1, 5, 5)): true above the diagonal",
       .printed = {0, 1, 1, 1, 1, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0},
       .how = "probabilities of 0 in the decoder's self-attention",
       .where = "Attention, Masked",
       .ours = causalMask},
      {.text = "Masked scores get -10,000",
       .printed = {-10'000},
       .how = "not computed: the engine's mask leaves masked keys out, whose probabilities are 0 "
              "like e^-10000",
       .where = "Attention, Masked"},
      {.text = "A tiny encoder-decoder has over 140 thousand parameters",
       .printed = {140'000},
       .how = "parameters of the preset annotated-encoder-decoder, whose sizes are those below the "
              "sentence",
       .where = "info --preset annotated-encoder-decoder",
       .ours = [] { return parametersOf(withHeadSize(3)); },
       .right = {31'903},
       .wrong = "Its own count, below, is 31,903; 140,389 are those with heads of size 17."},
      presetHas("num_params(params) = 31903", 31'903, "annotated-encoder-decoder"),
      {.text =
           "Its encoder and decoder above, with heads of size 17, make over 140 thousand: 47,670 + "
           "91,291 and the maps of memories of 30 numbers instead of 28",
       .printed = {47'670 + 91'291 + 3 * 2 * (30 - 28) * 7 * 17},
       .how = "parameters of the same model with heads of size 17",
       .where = "info",
       .ours = [] { return parametersOf(withHeadSize(17)); }},
      {.text = "asdfqwerz => nfqsdjrem => asdfqwerz",
       .printed = idsOf({"nfqsdjrem", "asdfqwerz"}),
       .how = "the right answers of the task rot13, as ids",
       .where = "Train, answers",
       .ours = [] { return rot13Twice("asdfqwerz"); }},
      {.text = "Embeddings of 8, 1 layer, 7 heads of 5, hidden layer of 5; batches of 50 words of "
               "up to "
               "15 positions, gradients clipped at 1, 10,000 steps",
       .printed = {8, 1, 7, 5, 5, 50, 15, 1, 10'000},
       .how = "the recipe",
       .where = "train --preset rot13",
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
                            recipe.train.clip_norm,
                            double(recipe.train.stop.steps)};
           }},
      presetHas("The model of rot13 has 4,665 parameters", 4665, "annotated-rot13"),
      {.text = "The schedule: 0.5 to 0.8 in 100 steps, held for 100, halved every 200, at least "
               "0.001",
       .printed = {0.5, 0.8, 0.8, 0.4, 0.001},
       .how = "the rate at steps 0, 100, 200, 400 and 10,000 of the schedule as written",
       .where = "Train, learning rate",
       .ours =
           [written] {
             Numbers rates;
             for (const std::int64_t step : {0, 100, 200, 400, 10'000})
               rates.push_back(train::learningRate(written, step));
             return rates;
           },
       .tolerance = 1e-12},
      {.text = "10,000 steps take about 3 minutes on a laptop, and then url, gurer, zn, qbbq",
       .printed = idsOf({"url", "gurer", "zn", "qbbq"}),
       .how = "trained for 10,000 steps with the rate that really runs, 0.5; answers as ids",
       .where = "Train; train --preset rot13",
       .learnt = answersInTheEnd,
       .wrong = "opt_state is never updated, so the rate stays 0.5: that is why it works."},
      {.text = "Trained with the schedule as written, the model does rot13",
       .printed = {1},
       .how = "1 if 70 % of 1,000 words are right after 4,500 steps, else 0",
       .where = "Train, learning rate",
       .learnt = [written](const Progress& progress) -> std::optional<Numbers> {
         const auto trainer = trained(written, 4500, progress);
         if (!trainer) return std::nullopt;
         return Numbers{trainer->evaluate(1000).accuracy >= 0.7 ? 1.0 : 0.0};
       },
       .right = {0},
       .wrong = "The rate decays before the letters are learnt."},
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
      {.text = "Dropout 0.1, 0.2, 0.3 in the examples of sizes; PRNGKey(0)",
       .printed = {0.1, 0.2, 0.3, 0},
       .how = "not computed: it changes no count, and rot13 is trained without",
       .where = "info"},
  };
}

}  // namespace tfm::reproduce
