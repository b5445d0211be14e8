// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/feature_extractor.h"

#include <algorithm>
#include <cmath>
#include <future>
#include <numeric>
#include <string>
#include <utility>

#include "core/backend/registry.h"
#include "core/base/check.h"
#include "core/base/error.h"
#include "core/model/batch_inputs.h"
#include "core/model/build_program.h"
#include "core/program/executor.h"

namespace tfm {
namespace {

// Positions per run: enough for fast matrix products, few enough for activations to fit the cache.
constexpr std::int64_t kRows = 256;

using Text = FeatureExtractor::Text;

/// Texts of one length.
using Group = std::span<const std::size_t>;

/// The indices of the texts in groups that run together.
std::vector<Group> groupsOf(std::span<const Text> texts, std::vector<std::size_t>& order) {
  order.resize(texts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto length = [&](std::size_t text) { return texts[text].size(); };
  std::ranges::stable_sort(order, {}, length);
  std::vector<Group> groups;
  for (std::size_t first = 0; first < order.size();) {
    const std::size_t same = length(order[first]);
    const std::size_t most = first + std::max<std::size_t>(1, std::size_t(kRows) / same);
    std::size_t end = first;
    while (end < std::min(most, order.size()) && length(order[end]) == same) ++end;
    groups.push_back(Group(order).subspan(first, end - first));
    first = end;
  }
  return groups;
}

void checkTexts(const ModelConfig& config, std::span<const Text> texts) {
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto refuse = [&](const std::string& what, const std::string& allowed) {
      throw Error(what, "text " + std::to_string(i), "Allowed: " + allowed);
    };
    const auto length = std::int64_t(texts[i].size());
    if (length < 1 || length > config.source_length)
      refuse("the text has " + std::to_string(length) + " tokens",
             "1 to " + std::to_string(config.source_length));
    for (const std::int32_t id : texts[i])
      if (id < 0 || id >= config.source_vocabulary)
        refuse("the text has token " + std::to_string(id),
               "0 to " + std::to_string(config.source_vocabulary - 1));
  }
}

bool isFinite(MatrixView<const float> m) {
  for (std::int64_t row = 0; row < m.rows; ++row)
    if (!std::all_of(m.row(row), m.row(row) + m.cols, [](float x) { return std::isfinite(x); }))
      return false;
  return true;
}

/// Throws Error if features of text `number`, at `place` in its group, are not finite.
void checkFinite(Executor<float>& executor, std::int64_t place, std::size_t number) {
  const Program& program = executor.program();
  const auto of_text = [&](TensorId tensor) {
    const MatrixView<const float> all = executor.values(tensor);
    const std::int64_t rows = all.rows / program.shape.sequences;
    return all.rowsFrom(place * rows, rows);
  };
  if (isFinite(of_text(program.find(names::kOutput)))) return;
  for (const Step& step : program.steps)
    if (const TensorId out = step.outputs.front();
        program.tensors[std::size_t(out)].role != Role::Ids && !isFinite(of_text(out)))
      throw Error("the encoder's activations overflow in " + program.tensors[std::size_t(out)].name,
                  "text " + std::to_string(number),
                  "Its weights are too large for float: choose another encoder");
}

Batch batchOf(std::span<const Text> texts, Group group) {
  Batch batch;
  batch.size = std::int64_t(group.size());
  batch.source_length = std::int64_t(texts[group.front()].size());
  for (const std::size_t text : group)
    batch.source.insert(batch.source.end(), texts[text].begin(), texts[text].end());
  batch.source_pad.assign(batch.source.size(), 0);
  return batch;
}

}  // namespace

FeatureExtractor::FeatureExtractor(ModelConfig config, AlignedVector<float> parameters)
    : config_(std::move(config)),
      parameters_(std::move(parameters)),
      backend_(makeBackend<float>()),
      on_device_(backend_->memory(), parameters_) {
  check(config_.architecture == Architecture::Encoder && config_.output == OutputKind::None &&
            config_.input == InputKind::Tokens,
        "features are the hidden states of an encoder of tokens");
  check(std::int64_t(parameters_.size()) == parameterLayout(config_).total,
        "parameters fit the encoder");
}

bool FeatureExtractor::extract(std::span<const Text> texts, int threads, const Take& take) const {
  checkTexts(config_, texts);
  std::vector<std::size_t> order;
  const std::vector<Group> groups = groupsOf(texts, order);
  // One per thread, rebuilt if the next group has another size.
  std::vector<std::unique_ptr<Executor<float>>> executors(std::size_t(std::max(1, threads)));
  const auto run = [&](std::unique_ptr<Executor<float>>& executor, Group group) {
    const Batch batch = batchOf(texts, group);
    const BatchShape shape{batch.size, batch.source_length, 0};
    if (!executor || !(executor->program().shape == shape))
      executor = std::make_unique<Executor<float>>(
          std::make_shared<const Program>(buildProgram(config_, shape, {})), *backend_, false);
    setInputs(*executor, batch, 0);
    executor->forward(on_device_.data(), {});
  };
  for (std::size_t first = 0; first < groups.size(); first += executors.size()) {
    const std::size_t count = std::min(executors.size(), groups.size() - first);
    std::vector<std::future<void>> others;
    for (std::size_t i = 1; i < count; ++i)
      others.push_back(
          std::async(std::launch::async, run, std::ref(executors[i]), groups[first + i]));
    run(executors[0], groups[first]);
    for (std::future<void>& other : others) other.get();
    for (std::size_t i = 0; i < count; ++i) {
      const Group group = groups[first + i];
      const Program& program = executors[i]->program();
      const MatrixView<const float> all = executors[i]->values(program.find(names::kOutput));
      for (std::size_t t = 0; t < group.size(); ++t) {
        checkFinite(*executors[i], std::int64_t(t), group[t]);
        const std::int64_t rows = all.rows / program.shape.sequences;
        if (!take(group[t], all.rowsFrom(std::int64_t(t) * rows, rows))) return false;
      }
    }
  }
  return true;
}

}  // namespace tfm
