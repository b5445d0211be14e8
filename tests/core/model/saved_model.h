// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cmath>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/io/safetensors.h"
#include "core/io/text_file.h"
#include "core/model/pretrained/pretrained_model.h"
#include "tests/core/model/foreign_parameters.h"
#include "tests/core/model/golden_model.h"
#include "tests/core/numbers.h"

namespace tfm::test {

/// A model that the transformers library saved, and its numbers (tests/goldens/families.py).
struct SavedModel {
  const char* name;
  const char* family;

  std::filesystem::path folder() const {
    return std::filesystem::path(TFM_TEST_DATA "/goldens/families") / name;
  }
  std::string json() const { return io::readTextFile(folder() / "config.json"); }
  Golden golden() const { return Golden::read("families/" + std::string(name) + "/golden"); }
  io::NamedTensors tensors() const {
    return io::readSafetensors(folder() / "model.safetensors").tensors;
  }
  ModelConfig config() const {
    const io::NamedTensors held = tensors();
    return foreignConfig(familyNamed(family), json(), name, io::storedTensors(held));
  }
};

using ChangeModel = std::function<void(ModelConfig&, io::NamedTensors&)>;

/// A run on the golden's texts and labels.
inline std::unique_ptr<ModelRun> runOf(const SavedModel& c, const ModelConfig& config,
                                       const io::NamedTensors& tensors, const std::string& json) {
  const Golden golden = c.golden(), ids = golden.at("ids");
  const bool pads = golden.has("pad"), both = golden.has("target");
  const auto sequences = std::int64_t(ids.shape()[0]), length = std::int64_t(ids.shape()[1]);
  const std::int64_t target = both                  ? std::int64_t(golden.at("target").shape()[1])
                              : config.hasDecoder() ? length
                                                    : 0;
  auto run = std::make_unique<ModelRun>(
      config, BatchShape{sequences, config.hasEncoder() ? length : 0, target},
      ProgramOptions{.loss = true});
  run->setIds(config.hasEncoder() ? names::kSourceIds : names::kTargetIds, idsOf(ids));
  if (pads) run->setIds(names::kSourcePad, idsOf(golden.at("pad")));
  if (both) run->setIds(names::kTargetIds, idsOf(golden.at("target")));
  run->setIds(names::kLabels, idsOf(golden.at("labels")));
  std::vector<double> weights = golden.at("weights").numbers();
  double sum = 0.0;
  for (const double weight : weights) sum += weight;
  for (double& weight : weights) weight /= sum;
  run->setNumbers(names::kLabelWeights, weights);
  run->parameters() = parametersOf<double>(c.family, config, tensors, c.name, json);
  return run;
}

/// What the library calls hidden states: after the embeddings and after each layer of a stack.
inline std::vector<std::string> stateNames(const ModelConfig& config, Stack stack) {
  const std::string name(stackName(stack));
  const bool added =
      config.positions == Positions::Learned || config.positions == Positions::Sinusoidal;
  std::vector<std::string> names{name + (config.embedding_map    ? ".embedding_map"
                                         : config.embedding_norm ? ".embedding_norm"
                                         : added                 ? ".positions"
                                                                 : ".embedding")};
  const bool post = config.norm_placement == NormPlacement::Post;
  for (std::size_t i = 0; i < config.layers(stack).size(); ++i)
    names.push_back(name + ".layers." + std::to_string(i) +
                    (post ? ".feed_forward_norm" : ".feed_forward_residual"));
  if (config.final_norm) names.back() = name + ".final_norm";
  return names;
}

/// The largest difference of a logit, of those of pads none.
inline double worstLogit(const SavedModel& c, const ChangeModel& change, const std::string& json) {
  ModelConfig config = c.config();
  io::NamedTensors tensors = c.tensors();
  change(config, tensors);
  const auto run = runOf(c, config, tensors, json);
  run->forward();
  return worstDifference(run->values(names::kOutput), c.golden().at("logits").numbers());
}

/// The gradients in the order of the file: the sum, the sum of squares, the sum of g_i cos(i).
inline std::map<std::string, std::array<double, 3>> gradientSums(const SavedModel& c,
                                                                 ModelRun& run) {
  const ModelConfig config = c.config();
  const io::NamedTensors tensors = c.tensors();
  const io::StoredTensors stored = io::storedTensors(tensors);
  const Family& family = familyNamed(c.family);
  ForeignModel model{config, stored};
  if (family.factors != nullptr) model.factors = family.factors(c.json(), c.name);
  std::map<std::string, std::vector<double>> foreign;
  const auto named = [&](const std::string& ours, const std::string& other) {
    for (const std::string& name : {ours, other})
      if (tensors.contains(name)) return name;
    return std::string(family.prefix) + ours;
  };
  for (const ParameterInfo& p : parameterLayout(config).parameters) {
    const ForeignTensor how = family.tensor(model, p);
    if (how.name.empty()) continue;
    const std::string name = named(how.name, how.other);
    std::vector<double>& values = foreign[name];
    values.resize(std::size_t(stored.at(name).size()));
    const std::int64_t rows = rowsOf(p), cols = colsOf(p);
    const std::int64_t all = std::ssize(values) / cols;
    const std::vector<double> gradient = run.parameterGradient(p.name);
    for (std::int64_t r = 0; r < rows; ++r)
      for (std::int64_t k = 0; k < cols; ++k)
        values[std::size_t(how.transposed ? k * all + how.rowOf(r) : how.rowOf(r) * cols + k)] +=
            how.factor * gradient[std::size_t(r * cols + k)];
    if (how.added.empty()) continue;
    const std::string added = named(how.added, "");
    std::vector<double>& sums = foreign[added];
    sums.resize(std::size_t(stored.at(added).size()));
    for (std::int64_t r = 0; r < rows; ++r)
      for (std::int64_t k = 0; k < cols; ++k)
        sums[std::size_t(k)] += gradient[std::size_t(r * cols + k)];
  }
  std::map<std::string, std::array<double, 3>> sums;
  for (const auto& [name, values] : foreign)
    for (std::size_t i = 0; i < values.size(); ++i) {
      sums[name][0] += values[i];
      sums[name][1] += values[i] * values[i];
      sums[name][2] += values[i] * std::cos(double(i + 1));
    }
  return sums;
}

/// "" or what differs from the golden: logits, loss, states, gradients.
inline std::string whatDiffers(const SavedModel& c) {
  const Golden golden = c.golden();
  const ModelConfig config = c.config();
  const auto run = runOf(c, config, c.tensors(), c.json());
  const double loss = run->backward();
  // Rows of pads are not compared: what stands there is of no use to anybody.
  const auto differs = [&](const std::string& ours, const Golden& theirs, double factor,
                           bool of_encoder) {
    std::vector<double> got = run->values(ours), expected = theirs.numbers();
    const std::vector<std::int32_t> pads =
        of_encoder && golden.has("pad") ? idsOf(golden.at("pad")) : std::vector<std::int32_t>();
    const std::size_t width = std::size_t(theirs.shape().back());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      expected[i] *= factor;
      if (!pads.empty() && pads[i / width] != 0) got[i] = expected[i];
    }
    return !agrees(got, expected);
  };
  const bool encoder = !config.hasDecoder();
  if (differs(std::string(names::kOutput), golden.at("logits"), 1.0, encoder)) return "logits";
  if (!agrees(loss, golden.at("loss").number())) return "loss";
  // Where the library scales the states before its output, the last norm has the factor here.
  double last = 1.0;
  if (config.positions == Positions::Buckets)
    last = familyNamed(c.family).factors(c.json(), c.name).front();
  const auto wrongStates = [&](Stack stack, const Golden& states) {
    const std::vector<std::string> names = stateNames(config, stack);
    if (names.size() != states.size()) return std::string("the number of states");
    for (std::size_t i = 0; i < names.size(); ++i) {
      const bool ends = stack == Stack::Decoder && i + 1 == names.size();
      if (differs(names[i], states.at(i), ends ? last : 1.0, stack == Stack::Encoder))
        return names[i];
    }
    return std::string();
  };
  std::string wrong =
      wrongStates(encoder ? Stack::Encoder : Stack::Decoder, golden.at("hidden_states"));
  if (wrong.empty() && golden.has("memory"))
    wrong = wrongStates(Stack::Encoder, golden.at("memory"));
  if (!wrong.empty()) return wrong;
  const auto sums = gradientSums(c, *run);
  for (const std::string& name : golden.at("gradients").keys()) {
    const std::vector<double> expected = golden.at("gradients").at(name).numbers();
    const double scale = 1e-10 * std::max(1e-3, std::sqrt(expected[1]));
    const auto found = sums.find(name);
    if (found == sums.end()) return "no gradient of " + name;
    for (std::size_t i = 0; i < 3; ++i)
      if (!(std::abs(found->second[i] - expected[i]) < scale)) return "the gradient of " + name;
  }
  return {};
}

}  // namespace tfm::test
