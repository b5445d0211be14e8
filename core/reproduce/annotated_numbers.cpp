// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/reproduce/annotated_numbers.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "core/data/batches.h"
#include "core/model/build_program.h"
#include "core/model/presets.h"
#include "core/program/ops/ops.h"
#include "core/program/program_builder.h"
#include "core/reproduce/model_outputs.h"
#include "core/reproduce/source.h"
#include "core/train/fit_task.h"

namespace tfm::reproduce {
namespace {

constexpr ParameterPart kMaps[]{ParameterPart::Query, ParameterPart::Key, ParameterPart::Value,
                                ParameterPart::Output};

Numbers drawnIn(const ModelState& state) {
  return {state.parameters.begin(), state.parameters.end()};
}

/// One sequence, read by both stacks; the last `pads` tokens of the source are padding.
Batch sequenceOf(const std::vector<std::int32_t>& ids, std::int64_t pads = 0) {
  Batch batch;
  batch.size = 1;
  batch.source_length = batch.target_length = std::ssize(ids);
  batch.source = batch.target = ids;
  batch.source_pad.assign(ids.size(), 0);
  std::fill_n(batch.source_pad.rbegin(), pads, std::uint8_t{1});
  return batch;
}

}  // namespace

Numbers parametersOfItsMaps() {
  Numbers maps;
  const ParameterLayout layout = parameterLayout(presetNamed("annotated-attention").config());
  for (const ParameterPart part : kMaps) {
    maps.push_back(0.0);
    for (const ParameterInfo& p : layout.parameters)
      if (p.tag.part == part) maps.back() += double(p.size());
  }
  return maps;
}

Numbers shapesOfItsMaps() {
  const ParameterLayout layout = parameterLayout(presetNamed("annotated-attention").config());
  Numbers shapes;
  for (const ParameterPart part : kMaps)
    for (const ParameterInfo& p : layout.parameters) {
      if (p.tag.part != part) continue;
      if (p.tag.term == Term::Weight) shapes.push_back(double(p.cols()));
      shapes.push_back(double(p.tag.term == Term::Weight ? p.rows() : p.size()));
    }
  return shapes;
}

Numbers shapesInItsAttention() {
  constexpr std::int64_t kSequences = 2, kLength = 5;
  const ModelConfig c = presetNamed("annotated-attention").config();
  const ModelState state = initialState(c, 0);
  const Numbers parameters = drawnIn(state);
  const Batch batch = featureBatch(c, kSequences);
  const auto shape = [&](std::string_view tensor) {
    const Outputs o = outputsOf(c, parameters, batch, tensor);
    return std::pair(double(o.rows / (kSequences * kLength)), double(o.cols));
  };
  const auto [once, queries] = shape("self_attention.query");
  const auto [heads, keys] = shape("self_attention.probabilities");
  const auto [again, outputs] = shape(names::kOutput);
  const auto inputs = double(std::ssize(batch.source_features) / (kSequences * kLength));
  return {double(batch.size),
          double(batch.source_length),
          inputs,
          kSequences * once,
          kLength,
          queries,
          kSequences,
          heads,
          kLength,
          keys,
          kSequences * again,
          kLength,
          outputs};
}

Numbers shapesOfBareAttention() {
  constexpr std::int64_t kBatches = 13, kQueries = 3, kKeys = 5, kSize = 7, kValues = 11;
  ProgramBuilder b({kBatches, kQueries, 0}, false, false);
  const TensorId q = b.input("q", kBatches * kQueries, kSize);
  const TensorId k = b.input("k", kBatches * kKeys, kSize);
  const TensorId v = b.input("v", kBatches * kKeys, kValues);
  const AttentionShape shape{kBatches, kQueries, kKeys, 1, kSize, kValues, false};
  const TensorId mixed = ops::attention(b, "attention", q, k, v, kNoTensor, shape, 0.0);
  const Program program = b.finish();
  Numbers sizes;
  for (const TensorId id : {mixed, program.find("attention.probabilities")}) {
    const TensorInfo& t = program.tensors[std::size_t(id)];
    for (const std::int64_t size : {kBatches, t.rows / kBatches, t.cols})
      sizes.push_back(double(size));
  }
  return sizes;
}

Numbers causalMask() {
  constexpr std::int64_t kLength = 5;
  ModelConfig c = presetNamed("annotated-rot13").config();
  c.source_length = c.target_length = kLength;
  const ModelState state = initialState(c, 0);
  const Outputs heads = outputsOf(c, drawnIn(state), sequenceOf({7, 4, 24, 0, 1}),
                                  "decoder.layers.0.self_attention.probabilities");
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

Numbers layerSizesOf(const char* preset) {
  const ModelConfig c = presetNamed(preset).config();
  const LayerSizes sizes = uniformSizes(c).value();
  return {double(c.hidden), double(c.encoder_layers.size()), double(sizes.heads),
          double(sizes.key_size), double(sizes.feed_forward)};
}

Numbers maskedPads() {
  const Drawing masks = draw(pictureNamed(sourceNamed("annotated-transformer"), "pad-mask"));
  Numbers counts;
  for (const Series& row : masks.series) counts.push_back(double(std::ranges::count(row.y, 1.0)));
  return counts;
}

Numbers padScore() {
  ModelConfig c = presetNamed("annotated-rot13").config();
  const ModelState state = initialState(c, 0);
  const Numbers parameters = drawnIn(state);
  const Batch batch = sequenceOf({7, 4, 24}, 1);
  const std::string attention = "encoder.layers.0.self_attention.";
  const double score = outputsOf(c, parameters, batch, attention + "scores").values[2];
  const double masked = outputsOf(c, parameters, batch, attention + "masked_scores").values[2];
  return {masked - score / std::sqrt(double(uniformSizes(c).value().key_size))};
}

Numbers lookedUp() {
  ModelConfig c = presetNamed("annotated-rot13").config();
  const ModelState state = initialState(c, 0);
  const Numbers parameters = drawnIn(state);
  Numbers read = outputsOf(c, parameters, sequenceOf({0, 1, 2}), "encoder.embedding").values;
  const auto table =
      std::ranges::find(state.layout.parameters, "encoder.embedding.weight", &ParameterInfo::name);
  Numbers rows(parameters.begin() + table->offset,
               parameters.begin() + table->offset + std::ssize(read));
  for (double& one : rows) one *= c.embedding_scale;
  return {largestDifference(read, rows)};
}

double stackedHeadsDifference() {
  const ModelConfig c = presetNamed("annotated-attention").config();
  const ModelState state = initialState(c, 0);
  const Numbers parameters = drawnIn(state);
  const Batch batch = featureBatch(c, 1);
  const Outputs queries = outputsOf(c, parameters, batch, "self_attention.query");
  const auto query = [&](Term term) {
    const auto found = std::ranges::find_if(state.layout.parameters, [&](const ParameterInfo& p) {
      return p.tag.part == ParameterPart::Query && p.tag.term == term;
    });
    return parameters.begin() + found->offset;
  };
  const auto weight = query(Term::Weight), bias = query(Term::Bias);
  const std::int64_t each = uniformSizes(c).value().key_size, width = c.hidden;
  Numbers stacked;
  for (std::int64_t row = 0; row < queries.rows; ++row)
    for (std::int64_t head = 0; head * each < queries.cols; ++head)
      for (std::int64_t i = head * each; i < (head + 1) * each; ++i)
        stacked.push_back(bias[i] + std::inner_product(weight + i * width, weight + (i + 1) * width,
                                                       batch.source_features.begin() + row * width,
                                                       0.0));
  return largestDifference(queries.values, stacked);
}

Numbers shiftsAndLengths() {
  const train::Document recipe = recipeOf(sourceNamed("annotated-transformer"));
  const auto task = train::makeTask(recipe);
  double shift = 0.0;
  for (char letter = 'a'; letter <= 'z'; ++letter) {
    const data::Ids read = task->encodeInput(std::string(1, letter));
    const data::Ids answer = task->rightAnswer(read).value();
    const double here = double((answer.front() - read.front() + 26) % 26);
    shift = letter == 'a' || here == shift ? here : NAN;
  }
  const Batch batch =
      data::trainingBatch(*task, train::framingFor(recipe.state.config, *task), 0, 0, 1000);
  double shortest = HUGE_VAL, longest = 0.0;
  for (std::int64_t i = 0; i < batch.size; ++i) {
    const auto begin = batch.source_pad.begin() + i * batch.source_length;
    const auto letters = double(std::count(begin, begin + batch.source_length, 0));
    shortest = std::min(shortest, letters);
    longest = std::max(longest, letters);
  }
  return {shift, double(task->targetVocabulary().size() - 2), shortest, longest};
}

}  // namespace tfm::reproduce
