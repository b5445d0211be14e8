// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/reproduce/encoder_copies.h"

#include <algorithm>
#include <string>

#include "core/base/check.h"
#include "core/model/build_program.h"
#include "core/model/model_state.h"
#include "core/model/presets.h"
#include "core/reproduce/model_outputs.h"

namespace tfm::reproduce {
namespace {

constexpr std::int64_t kSequences = 2, kPositions = 3;

ModelConfig sharedEncoder() { return presetNamed("encoder-layer-notebook").config(); }
ModelConfig copiedEncoder() { return presetNamed("encoder-layer-notebook-independent").config(); }

/// The parameters of three layers, each a copy of the shared one.
Numbers copied(const ModelState& shared, const ParameterLayout& layout) {
  Numbers values(std::size_t(layout.total));
  for (const ParameterInfo& p : layout.parameters) {
    ParameterTag tag = p.tag;
    tag.site.layer = 0;
    const ParameterInfo* own = shared.layout.find(tag);
    tfm::check(own != nullptr, "a parameter of the shared layer");
    std::copy_n(shared.parameters.begin() + own->offset, p.size(), values.begin() + p.offset);
  }
  return values;
}

double meanSquare(const Numbers& a, const Numbers& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum / double(a.size());
}

/// From rows (sequence, position) to (position, sequence) and, with sizes exchanged, back.
Numbers exchanged(const Numbers& rows, std::int64_t sequences, std::int64_t width) {
  const std::int64_t positions = std::ssize(rows) / width / sequences;
  Numbers other(rows.size());
  for (std::int64_t s = 0; s < sequences; ++s)
    for (std::int64_t p = 0; p < positions; ++p)
      std::copy_n(rows.begin() + (s * positions + p) * width, width,
                  other.begin() + (p * sequences + s) * width);
  return other;
}

}  // namespace

CopiesTraining trainCopies(std::int64_t steps) {
  constexpr double kRate = 0.1;
  const ModelState state = initialState(sharedEncoder(), 42);
  Numbers one(state.parameters.begin(), state.parameters.end());
  Numbers three = copied(state, parameterLayout(copiedEncoder()));
  Batch batch = featureBatch(sharedEncoder());
  batch.label_features = batch.source_features;
  CopiesTraining run;
  const Numbers wanted(batch.source_features.begin(), batch.source_features.end());
  for (std::int64_t step = 0; step <= steps; ++step) {
    const Numbers a = outputsOf(sharedEncoder(), one, batch, names::kOutput).values;
    const Numbers b = outputsOf(copiedEncoder(), three, batch, names::kOutput).values;
    run.shared.push_back(meanSquare(a, wanted));
    run.copies.push_back(meanSquare(b, wanted));
    run.difference = largestDifference(a, b);
    if (step == steps) break;
    one = afterOneStep(sharedEncoder(), one, batch, kRate);
    three = afterOneStep(copiedEncoder(), three, batch, kRate);
  }
  return run;
}

std::vector<Numbers> reachOfInputs(bool batch_first) {
  const ModelConfig config = sharedEncoder();
  const ModelState state = initialState(config, 42);
  const Numbers parameters(state.parameters.begin(), state.parameters.end());
  const Batch whole = featureBatch(config, kSequences);
  const auto outputs = [&](const Numbers& features) {
    Batch batch = whole;
    if (!batch_first) {
      batch.size = kPositions;
      batch.source_length = kSequences;
    }
    const Numbers read = batch_first ? features : exchanged(features, kSequences, config.hidden);
    batch.source_features.assign(read.begin(), read.end());
    const Numbers out = outputsOf(config, parameters, batch, names::kOutput).values;
    return batch_first ? out : exchanged(out, kPositions, config.hidden);
  };
  const Numbers features(whole.source_features.begin(), whole.source_features.end());
  const Numbers before = outputs(features);
  constexpr std::int64_t kRows = kSequences * kPositions;
  std::vector<Numbers> reach(kRows);
  for (std::int64_t changed = 0; changed < kRows; ++changed) {
    Numbers others = features;
    others[std::size_t(changed * config.hidden)] += 1.0;
    const Numbers after = outputs(others);
    for (std::int64_t row = 0; row < kRows; ++row) {
      const auto begin = row * config.hidden, end = begin + config.hidden;
      const bool same =
          std::equal(after.begin() + begin, after.begin() + end, before.begin() + begin);
      reach[std::size_t(row)].push_back(same ? 0.0 : 1.0);
    }
  }
  return reach;
}

}  // namespace tfm::reproduce
