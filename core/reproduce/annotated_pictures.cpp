// SPDX-License-Identifier: GPL-3.0-or-later
// Figures of "Another annotated transformer".
#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "core/data/text_codec.h"
#include "core/model/build_program.h"
#include "core/model/presets.h"
#include "core/model/sinusoid.h"
#include "core/reproduce/decode_loop.h"
#include "core/reproduce/learning_curves.h"
#include "core/reproduce/model_outputs.h"
#include "core/reproduce/source.h"

namespace tfm::reproduce {
namespace {

const std::vector<std::string> kQuestions{"hey", "there", "ma", "dood"};
constexpr std::int64_t kLongest = 5;  // of these
constexpr std::int64_t kSteps = 10'000, kEvery = 250, kHeldOut = 1000;

const Source& post() { return sourceNamed("annotated-transformer"); }

Drawing batch(const std::vector<std::int64_t>&) {
  const data::Vocabulary letters = data::Vocabulary::annotated();
  Drawing drawing{.kind = DrawingKind::Cells, .x_title = "position", .y_title = "id; 27: <pad>"};
  for (std::int64_t i = 1; i <= kLongest; ++i) drawing.names.push_back(std::to_string(i));
  for (const std::string& word : kQuestions) {
    Series row{.name = word};
    for (const std::int32_t id : letters.encode(word)) row.y.push_back(id);
    row.y.resize(kLongest, letters.pad());
    drawing.series.push_back(std::move(row));
  }
  return drawing;
}

/// The words as a batch that answers "abcde".
Batch wordBatch() {
  const data::Vocabulary letters = data::Vocabulary::annotated();
  Batch words;
  words.size = std::ssize(kQuestions);
  words.source_length = words.target_length = kLongest;
  for (const Series& row : batch({}).series)
    for (const double id : row.y) {
      words.source.push_back(std::int32_t(id));
      words.source_pad.push_back(id == letters.pad() ? 1 : 0);
      words.target.push_back(std::int32_t(words.target.size()) % kLongest);
    }
  return words;
}

/// Where probabilities of the first head are 0: rows (text, position) of an attention.
Outputs firstHeads(const char* tensor, std::int64_t texts) {
  ModelConfig config = presetNamed("annotated-rot13").config();
  config.source_length = config.target_length = kLongest;
  const ModelState state = initialState(config, 0);
  const Numbers parameters(state.parameters.begin(), state.parameters.end());
  const Outputs all = outputsOf(config, parameters, wordBatch(), tensor);
  const std::int64_t heads = all.rows / (std::ssize(kQuestions) * kLongest);
  Outputs first{texts * kLongest, all.cols, {}};
  for (std::int64_t text = 0; text < texts; ++text) {
    const auto begin = all.values.begin() + text * heads * kLongest * all.cols;
    first.values.insert(first.values.end(), begin, begin + kLongest * all.cols);
  }
  return first;
}

Drawing causal(const std::vector<std::int64_t>&) {
  const Outputs heads = firstHeads("decoder.layers.0.self_attention.probabilities", 1);
  Drawing drawing{
      .kind = DrawingKind::Cells, .x_title = "position that is looked at", .y_title = "1: masked"};
  for (std::int64_t i = 0; i < kLongest; ++i) {
    drawing.names.push_back(std::to_string(i + 1));
    Series row{.name = "position " + std::to_string(i + 1)};
    for (std::int64_t j = 0; j < kLongest; ++j)
      row.y.push_back(heads.values[std::size_t(i * kLongest + j)] < 1e-9 ? 1.0 : 0.0);
    drawing.series.push_back(std::move(row));
  }
  return drawing;
}

Drawing pads(const std::vector<std::int64_t>&) {
  const Outputs heads =
      firstHeads("encoder.layers.0.self_attention.probabilities", std::ssize(kQuestions));
  Drawing drawing{
      .kind = DrawingKind::Cells, .x_title = "position that is looked at", .y_title = "1: masked"};
  for (std::int64_t i = 1; i <= kLongest; ++i) drawing.names.push_back(std::to_string(i));
  for (std::size_t text = 0; text < kQuestions.size(); ++text) {
    Series row{.name = kQuestions[text]};
    for (std::int64_t j = 0; j < kLongest; ++j) {  // of its first position
      const std::size_t at = text * std::size_t(kLongest * kLongest) + std::size_t(j);
      row.y.push_back(heads.values[at] < 1e-9 ? 1.0 : 0.0);
    }
    drawing.series.push_back(std::move(row));
  }
  return drawing;
}

Drawing lookup(const std::vector<std::int64_t>& chosen) {
  ModelConfig config = presetNamed("annotated-rot13").config();
  config.hidden = config.sinusoid_size = chosen[0];
  const ModelState state = initialState(config, 0);
  const data::Vocabulary letters = data::Vocabulary::annotated();
  Drawing drawing{.kind = DrawingKind::Cells, .x_title = "component", .y_title = "embedding"};
  for (std::int64_t i = 1; i <= chosen[0]; ++i) drawing.names.push_back(std::to_string(i));
  const auto table =
      std::ranges::find(state.layout.parameters, "encoder.embedding.weight", &ParameterInfo::name);
  for (std::int64_t id = 0; id < letters.size(); ++id) {
    const auto row = state.parameters.begin() + table->offset + id * chosen[0];
    drawing.series.push_back({.name = letters.token(std::int32_t(id)) + " = " + std::to_string(id),
                              .y = Numbers(row, row + chosen[0])});
  }
  return drawing;
}

Drawing positions(const std::vector<std::int64_t>& chosen) {
  const std::int64_t length = chosen[0], width = chosen[1];
  const Numbers values = sinusoid(length, width, width);
  Drawing drawing{.kind = DrawingKind::Cells, .x_title = "component", .y_title = "sinusoid"};
  for (std::int64_t j = 0; j < width; ++j) drawing.names.push_back(std::to_string(j));
  for (std::int64_t i = 0; i < length; ++i)
    drawing.series.push_back(
        {.name = "position " + std::to_string(i),
         .y = Numbers(values.begin() + i * width, values.begin() + (i + 1) * width)});
  return drawing;
}

Drawing stackedHeads(const std::vector<std::int64_t>&) {
  const ModelConfig config = presetNamed("annotated-attention").config();
  const ModelState state = initialState(config, 0);
  const LayerSizes sizes = uniformSizes(config).value();
  const auto weight = std::ranges::find_if(state.layout.parameters, [](const ParameterInfo& p) {
    return p.tag.part == ParameterPart::Query && p.tag.term == Term::Weight;
  });
  Drawing drawing{.kind = DrawingKind::Cells,
                  .x_title = "component of the input",
                  .y_title = "weight of the query map, one matrix"};
  for (std::int64_t j = 1; j <= weight->cols(); ++j) drawing.names.push_back(std::to_string(j));
  for (std::int64_t i = 0; i < weight->rows(); ++i) {
    const auto row = state.parameters.begin() + weight->offset + i * weight->cols();
    drawing.series.push_back({.name = "head " + std::to_string(i / sizes.key_size + 1) +
                                      ", output " + std::to_string(i % sizes.key_size + 1),
                              .y = Numbers(row, row + weight->cols())});
  }
  return drawing;
}

Drawing sizes(const std::vector<std::int64_t>&) {
  Series counts{.name = "parameters of the encoder-decoder, 3 + 3 layers"};
  for (std::int64_t size = 1; size <= 20; ++size) {
    ModelConfig config = presetNamed("annotated-encoder-decoder").config();
    setUniform(config, 3, 3, {7, size, size, 13, 1e-6});
    counts.x.push_back(double(size));
    counts.y.push_back(double(parameterLayout(config).total));
  }
  return {.x_title = "size of each head",
          .y_title = "parameters",
          .series = {std::move(counts)},
          .levels = {{"\"over 140 thousand\"", 140'000},
                     {"31,903: its own count, with heads of 3", 31'903}}};
}

Drawing counts(const std::vector<std::int64_t>&) {
  Drawing drawing{.kind = DrawingKind::Bars,
                  .x_title = "preset",
                  .y_title = "parameters",
                  .series = {{.name = "parameters"}},
                  .logarithmic = true};
  for (const char* name : {"annotated-attention", "annotated-rot13", "annotated-encoder-decoder",
                           "annotated-encoder", "annotated-decoder"}) {
    drawing.names.push_back(std::string(name).substr(10));
    drawing.series[0].y.push_back(double(parameterLayout(presetNamed(name).config()).total));
  }
  return drawing;
}

Drawing rates(const std::vector<std::int64_t>&) {
  const train::ScheduleConfig written = train::notebookSchedule();
  Series as_written{.name = "the schedule as written"}, as_run{.name = "as it runs"};
  for (std::int64_t step = 0; step <= 2500; step += 10) {
    as_written.x.push_back(double(step));
    as_written.y.push_back(train::learningRate(written, step));
    as_run.x.push_back(double(step));
    as_run.y.push_back(train::learningRate(written, 0));  // its state is discarded
  }
  return {.x_title = "step",
          .y_title = "learning rate",
          .series = {std::move(as_written), std::move(as_run)}};
}

Drawing decoding(const std::vector<std::int64_t>& chosen) {
  const ModelConfig config = presetNamed("annotated-rot13").config();
  Drawing drawing{.kind = DrawingKind::Bars,
                  .x_title = "pass of the loop",
                  .y_title = "operations for the four words",
                  .series = {{.name = "its pass: the encoder and all positions"},
                             {.name = "all positions, the encoder once"},
                             {.name = "the newest position alone"}}};
  for (std::int64_t pass = 1; pass <= chosen[0]; ++pass) {
    const PassCost cost = passCost(config, std::ssize(kQuestions), kLongest, pass + 1);
    drawing.names.push_back(std::to_string(pass));
    drawing.series[0].y.push_back(cost.all);
    drawing.series[1].y.push_back(cost.decoder);
    drawing.series[2].y.push_back(cost.newest);
  }
  return drawing;
}

/// The share of 1,000 held-out words that is right, with the schedule as written and as it runs.
std::optional<std::vector<Series>> schedules(double share, const Progress& progress) {
  std::vector<Series> curves;
  for (const bool as_written : {true, false}) {
    Series curve{.name = as_written ? "the schedule as written" : "as it runs: 0.5 for ever"};
    const auto steps = std::int64_t(share * double(kSteps));
    const auto trainer = trainedFor(recipeOf(post(), as_written), steps,
                                    partOf(progress, as_written ? 0.0 : 0.5, 0.5),
                                    [&](train::Trainer& one, const train::StepMetrics& metrics) {
                                      if (metrics.step % kEvery != 0) return;
                                      curve.x.push_back(double(metrics.step));
                                      curve.y.push_back(one.evaluate(kHeldOut).accuracy);
                                    });
    if (!trainer) return std::nullopt;
    curves.push_back(std::move(curve));
  }
  return curves;
}

}  // namespace

std::vector<Picture> annotatedPictures() {
  return {
      {.name = "schedules",
       .title = "Learning rot13 with the schedule as written, and as it really runs",
       .says =
           "The new opt_state goes into a mistyped name, so the rate stays at its initial 0.5, and "
           "only clipping at 1 tames it. That works, but since the rate never falls, accuracy "
           "drops now and then and recovers. As written, the rate decays before the letters are "
           "learned.",
       .training = "schedules",
       .learned = schedules,
       .composed =
           [](const std::vector<Series>& curves) {
             return Drawing{.x_title = "step",
                            .y_title = "accuracy on 1,000 held-out words",
                            .series = curves};
           }},
      {.name = "rates",
       .title = "The learning rate as written, and as it really is",
       .says = "The schedule rises from 0.5 to 0.8, and halves every 200 steps. The step that it "
               "counts with is thrown away after each step.",
       .drawn = rates},
      {.name = "batch",
       .title = "Four words as a batch of ids",
       .says =
           "Shorter words are filled with <pad>, 27. The text says that pads are ignored in the "
           "loss; its code counts them.",
       .drawn = batch},
      {.name = "embedding",
       .title = "The embedding: a row for each token",
       .says =
           "Reading a token is a lookup of its row, not a product; a product with a one-hot row "
           "would give the same numbers.",
       .choices = {{"Width", 8, 2, 16, 2}},
       .drawn = lookup},
      {.name = "sinusoid",
       .title = "The sinusoid that is added to the embeddings",
       .says = "sin_pos_enc(positions, width). The printed example is 5 positions of width 2; try "
               "100 of "
               "32 to see its waves.",
       .choices = {{"Positions", 5, 1, 128}, {"Width", 2, 2, 64, 2}},
       .drawn = positions},
      {.name = "causal-mask",
       .title = "The causal mask: where the decoder does not look",
       .says = "Probabilities that are 0 in the decoder's self-attention.",
       .drawn = causal},
      {.name = "pad-mask",
       .title = "The pad mask: where the encoder does not look in each word",
       .says =
           "Probabilities that are 0 in the encoder's self-attention, of a batch of four words.",
       .drawn = pads},
      {.name = "stacked-heads",
       .title = "One linear map as stacked heads",
       .says =
           "The query map of 2 heads of size 2 is one matrix. Its first two rows give the query "
           "of the first head, the others that of the second.",
       .drawn = stackedHeads},
      {.name = "sizes",
       .title = "Which size of the heads gives how many parameters",
       .says =
           "\"Over 140 thousand\" are 140,389 with heads of 17, as in its encoder and decoder; the "
           "cell below that sentence has heads of 3 and prints 31,903.",
       .drawn = sizes},
      {.name = "counts",
       .title = "Parameters of its models",
       .says =
           "63, 4,665, 31,903, 47,670 and 91,291, as it prints them; each is a preset whose name "
           "begins with annotated-.",
       .drawn = counts},
      {.name = "decode-loop",
       .title = "What each pass of the decode loop costs",
       .says =
           "The loop runs encoder and decoder anew over all positions in each pass, although only "
           "the newest position is new.",
       .choices = {{"Passes", 5, 1, 14}},
       .drawn = decoding},
  };
}

}  // namespace tfm::reproduce
