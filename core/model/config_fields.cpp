// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/config_fields.h"

#include <type_traits>
#include <utility>

namespace tfm {
namespace {

constexpr std::int64_t kMostTokens = 10'000'000;
constexpr std::int64_t kMostPositions = 1'000'000;
constexpr std::int64_t kMostWidth = 65'536;

template <auto kMember>
ChoiceField choice(std::vector<std::string_view> words) {
  return {std::move(words), [](const ModelConfig& c) { return int(c.*kMember); },
          [](ModelConfig& c, int value) {
            using Enum = std::remove_reference_t<decltype(c.*kMember)>;
            c.*kMember = Enum(value);
          }};
}

std::string number(double value) {
  std::string text = std::to_string(value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

}  // namespace

std::span<const ConfigField> configFields() {
  using M = ModelConfig;
  static const std::vector<ConfigField> kFields{
      {"architecture", "Which stacks the model has",
       choice<&M::architecture>({"attention", "encoder", "decoder", "encoder_decoder"})},
      {"input", "What the model reads: token ids or real vectors",
       choice<&M::input>({"tokens", "features"})},
      {"output", "What the model answers with",
       choice<&M::output>({"none", "classes", "labels", "vocabulary"})},
      {"source_vocabulary", "Tokens that the encoder knows",
       IntegerField{&M::source_vocabulary, 0, kMostTokens}},
      {"target_vocabulary", "Tokens that the decoder knows",
       IntegerField{&M::target_vocabulary, 0, kMostTokens}},
      {"output_size", "Classes, labels or features of the answer",
       IntegerField{&M::output_size, 0, kMostTokens}},
      {"memory_size", "Width of an encoder output that comes from outside; 0 for none",
       IntegerField{&M::memory_size, 0, kMostWidth}},
      {"source_length", "Most positions of the encoder",
       IntegerField{&M::source_length, 0, kMostPositions}},
      {"target_length", "Most positions of the decoder",
       IntegerField{&M::target_length, 0, kMostPositions}},
      {"hidden", "Width of the residual stream", IntegerField{&M::hidden, 1, kMostWidth}},
      {"share_layers", "All layers of a stack use the parameters of the first",
       SwitchField{&M::share_layers}},
      {"norm_placement", "Norm before each sub-layer or after its residual",
       choice<&M::norm_placement>({"pre", "post"})},
      {"norm", "The kind of norm", choice<&M::norm>({"layer_norm", "rms_norm"})},
      {"final_norm", "One more norm after the last layer", SwitchField{&M::final_norm}},
      {"activation", "Non-linearity of the feed-forward blocks",
       choice<&M::activation>({"relu", "gelu", "gelu_tanh"})},
      {"attention_bias", "Biases of query, key, value and attention output",
       SwitchField{&M::attention_bias}},
      {"feed_forward_bias", "Biases of the feed-forward blocks",
       SwitchField{&M::feed_forward_bias}},
      {"output_bias", "Bias of the output", SwitchField{&M::output_bias}},
      {"positions", "How positions are told apart",
       choice<&M::positions>({"none", "learned", "sinusoidal"})},
      {"sinusoid_size", "Width that the sinusoid is computed for; 0 is the hidden size",
       IntegerField{&M::sinusoid_size, 0, kMostWidth}},
      {"embedding_scale", "Constant that embeddings are multiplied by",
       RealField{&M::embedding_scale, 1e-6, 1e6}},
      {"tie_output", "The output uses the decoder's embedding", SwitchField{&M::tie_output}},
      {"attention_dropout", "Share of attention probabilities dropped in training",
       RealField{&M::attention_dropout, 0.0, 1.0}},
      {"residual_dropout", "Share of each sub-layer's output dropped in training",
       RealField{&M::residual_dropout, 0.0, 1.0}},
      {"feed_forward_dropout", "Share of activations dropped in training",
       RealField{&M::feed_forward_dropout, 0.0, 1.0}},
      {"initializer", "How the first weights are drawn",
       choice<&M::initializer>({"xavier_uniform", "lecun_normal", "he_normal", "normal"})},
      {"initial_deviation", "Standard deviation of the normal initializer",
       RealField{&M::initial_deviation, 0.0, 1e3}},
      {"embedding_deviation", "Standard deviation of the first token embeddings",
       RealField{&M::embedding_deviation, 0.0, 1e3}},
      {"position_deviation", "Standard deviation of the first learned positions",
       RealField{&M::position_deviation, 0.0, 1e3}},
  };
  return kFields;
}

std::string allowedText(const ConfigField& field) {
  struct Describe {
    std::string operator()(const IntegerField& f) const {
      return "a whole number from " + std::to_string(f.lowest) + " to " + std::to_string(f.highest);
    }
    std::string operator()(const RealField& f) const {
      return "a number from " + number(f.lowest) + " to below " + number(f.limit);
    }
    std::string operator()(const SwitchField&) const { return "true or false"; }
    std::string operator()(const ChoiceField& f) const {
      std::string text = "one of";
      for (std::size_t i = 0; i < f.words.size(); ++i)
        text += (i == 0 ? " " : ", ") + std::string(f.words[i]);
      return text;
    }
  };
  return std::visit(Describe{}, field.kind);
}

}  // namespace tfm
