// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/model/golden_model.h"
#include "tests/core/numbers.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace tfm::test {
namespace {

template <class Choice>
Choice chosen(const std::string& word,
              std::initializer_list<std::pair<const char*, Choice>> choices) {
  for (const auto& [name, value] : choices)
    if (word == name) return value;
  throw std::runtime_error("a golden config says " + word);
}

std::int64_t whole(const Golden& config, const char* name) {
  return std::int64_t(config.at(name).number());
}

}  // namespace

ModelConfig configOf(const Golden& g, std::int64_t length, Architecture architecture) {
  ModelConfig c;
  c.architecture = architecture;
  if (g.has("vocabulary")) c.source_vocabulary = c.target_vocabulary = whole(g, "vocabulary");
  if (g.has("outputs")) c.output_size = whole(g, "outputs");
  c.hidden = whole(g, "hidden");
  c.norm = chosen<NormKind>(g.at("norm").text(),
                            {{"layer", NormKind::LayerNorm}, {"rms", NormKind::RmsNorm}});
  c.norm_placement = chosen<NormPlacement>(
      g.at("norm_placement").text(), {{"pre", NormPlacement::Pre}, {"post", NormPlacement::Post}});
  c.activation = chosen<Activation>(g.at("activation").text(), {{"relu", Activation::Relu},
                                                                {"gelu", Activation::Gelu},
                                                                {"gelu_tanh", Activation::GeluTanh},
                                                                {"silu", Activation::Silu}});
  c.positions =
      chosen<Positions>(g.at("positions").text(), {{"none", Positions::None},
                                                   {"learned", Positions::Learned},
                                                   {"sinusoidal", Positions::Sinusoidal}});
  c.source_length = c.target_length =
      g.has("positions_length") ? whole(g, "positions_length") : length;
  c.final_norm = g.at("final_norm").flag();
  if (g.has("embedding_scale")) c.embedding_scale = g.at("embedding_scale").number();
  if (g.has("tied_output")) c.tie_output = g.at("tied_output").flag();
  if (g.has("output_bias")) c.output_bias = g.at("output_bias").flag();
  if (g.has("attention_bias")) c.attention_bias = g.at("attention_bias").flag();
  setUniform(c, whole(g, "encoder_layers"), whole(g, "decoder_layers"),
             {whole(g, "heads"), whole(g, "key_size"), whole(g, "value_size"),
              whole(g, "feed_forward"), g.at("norm_epsilon").number()});
  return c;
}

std::vector<std::int32_t> idsOf(const Golden& tensor) {
  const std::vector<double> numbers = tensor.numbers();
  return {numbers.begin(), numbers.end()};
}

void setParameters(ModelRun& run, const Golden& parameters) {
  const std::vector<std::string> names = parameters.keys();
  if (names.size() != run.program().parameters.parameters.size())
    throw std::runtime_error("the golden has another number of parameters");
  for (const std::string& name : names) run.setParameter(name, parameters.at(name).numbers());
}

bool agrees(const std::vector<double>& got, const std::vector<double>& expected) {
  double largest = 1.0;
  for (const double value : expected) largest = std::max(largest, std::abs(value));
  return worstDifference(got, expected) <= 1e-12 * largest;
}

bool agrees(double got, double expected) {
  return agrees(std::vector<double>{got}, std::vector<double>{expected});
}

void runOn(ModelRun& run, const Golden& golden, const ParameterLayout& layout,
           const AlignedVector<double>& parameters) {
  for (const ParameterInfo& p : run.program().parameters.parameters) {
    const auto first = parameters.begin() + layout.find(p.name)->offset;
    run.setParameter(p.name, {first, first + p.size()});
  }
  run.setIds(names::kSourceIds, idsOf(golden.at("ids")));
  run.setIds(names::kSourcePad, idsOf(golden.at("pad")));
  run.forward();
}

std::string wrongGradients(ModelRun& run, const Golden& gradients) {
  for (const std::string& name : gradients.keys())
    if (!agrees(run.parameterGradient(name), gradients.at(name).numbers())) return name;
  return {};
}

std::string wrongProbabilities(ModelRun& run, const Golden& by_path) {
  for (const std::string& path : by_path.keys()) {
    const std::vector<double> expected = by_path.at(path).numbers();
    std::vector<double> got = run.values(path + ".probabilities");
    got.resize(std::min(got.size(), expected.size()));
    if (!agrees(got, expected)) return path;
  }
  return {};
}

}  // namespace tfm::test
