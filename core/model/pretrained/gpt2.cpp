// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/pretrained/gpt2.h"

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/io/fields.h"
#include "core/io/json_guard.h"
#include "core/model/config_fields.h"
#include "core/model/pretrained/foreign_config.h"
#include "core/model/pretrained/hidden_act.h"

namespace tfm {
namespace {

struct Gpt2Sizes {
  std::int64_t vocabulary = 0, positions = 0, hidden = 0, layers = 0, heads = 0, inner = 0;
  double eps = 1e-5;
  bool scaled = true, scaled_by_layer = false, tied = true;
};

std::vector<io::Field> neededGpt2(Gpt2Sizes& s) {
  using io::IntegerSlot;
  constexpr std::int64_t kMax = kMaxPretrainedSize;
  return {{"vocab_size", "Tokens", IntegerSlot{&s.vocabulary, 1, kMax}},
          {"n_positions", "Positions", IntegerSlot{&s.positions, 1, kMaxPositions}},
          {"n_embd", "Width of the hidden states", IntegerSlot{&s.hidden, 1, kMax}},
          {"n_layer", "Layers", IntegerSlot{&s.layers, 1, kMaxLayers}},
          {"n_head", "Heads", IntegerSlot{&s.heads, 1, kMax}}};
}

std::vector<io::Field> otherGpt2(Gpt2Sizes& s) {
  return {{"layer_norm_epsilon", "Epsilon of the norms", io::RealSlot{&s.eps, 0.0, 1.0}},
          {"scale_attn_weights", "Scores divided by the root of the head's size",
           io::SwitchSlot{&s.scaled}},
          {"scale_attn_by_inverse_layer_idx", "Scores divided by the number of the layer",
           io::SwitchSlot{&s.scaled_by_layer}},
          {"tie_word_embeddings", "The output is the token table", io::SwitchSlot{&s.tied}}};
}

Gpt2Sizes gpt2Sizes(io::ObjectReader& reader) {
  Gpt2Sizes s;
  readSizes(reader, neededGpt2(s), otherGpt2(s), "a GPT-2");
  s.inner = 4 * s.hidden;
  if (const nlohmann::json* inner = reader.child("n_inner"); inner != nullptr && !inner->is_null())
    s.inner = reader.get("n_inner", s.inner);
  if (s.inner < 1 || s.inner > kMaxPretrainedSize)
    reader.throwInvalid("n_inner", "a whole number from 1, or null");
  if (s.hidden % s.heads != 0)
    throw Error("n_embd is " + std::to_string(s.hidden), reader.where(),
                "Allowed: a multiple of n_head, " + std::to_string(s.heads));
  return s;
}

constexpr std::array kGpt2Parts{ForeignPart{BlockKind{}, ParameterPart::Embedding, "wte"},
                                ForeignPart{BlockKind{}, ParameterPart::Positions, "wpe"},
                                ForeignPart{BlockKind{}, ParameterPart::FinalNorm, "ln_f"},
                                ForeignPart{BlockKind{}, ParameterPart::Output, "lm_head"},
                                ForeignPart{kAttends, ParameterPart::Norm, "ln_1"},
                                ForeignPart{kAttends, ParameterPart::Query, "attn.c_attn", true, 0},
                                ForeignPart{kAttends, ParameterPart::Key, "attn.c_attn", true, 1},
                                ForeignPart{kAttends, ParameterPart::Value, "attn.c_attn", true, 2},
                                ForeignPart{kAttends, ParameterPart::Output, "attn.c_proj", true},
                                ForeignPart{kFeeds, ParameterPart::Norm, "ln_2"},
                                ForeignPart{kFeeds, ParameterPart::Linear1, "mlp.c_fc", true},
                                ForeignPart{kFeeds, ParameterPart::Linear2, "mlp.c_proj", true}};

ForeignTensor gpt2Tensor(const ForeignModel& model, const ParameterInfo& p) {
  ForeignTensor tensor = foreignTensor(kGpt2Parts, "h.", p);
  // GGUF files have the matrices as (out, in).
  const auto first = model.tensors.find("transformer.h.0.attn.c_attn.weight");
  if (tensor.transposed && first != model.tensors.end() &&
      first->second.shape.front() == 3 * model.config.hidden) {
    tensor.transposed = false;
    std::swap(tensor.shape.front(), tensor.shape.back());
  }
  if (p.tag.part == ParameterPart::Query)
    tensor.factor = model.factors[std::size_t(p.tag.site.layer)];
  if (p.tag.part == ParameterPart::Embedding && model.config.tie_output) tensor.other = kOutputName;
  return tensor;
}

std::string gpt2Fields(const ModelConfig& c, std::int64_t) {
  const LayerSizes s = sizesOfFirst(c, Stack::Decoder);
  return nlohmann::ordered_json{{"vocab_size", c.target_vocabulary},
                                {"n_positions", c.target_length},
                                {"n_ctx", c.target_length},
                                {"n_embd", c.hidden},
                                {"n_layer", c.decoder_layers.size()},
                                {"n_head", s.heads},
                                {"n_inner", s.feed_forward},
                                {"activation_function", activationName(c.activation)},
                                {"layer_norm_epsilon", s.norm_eps},
                                {"scale_attn_weights", true},
                                {"scale_attn_by_inverse_layer_idx", false},
                                {"tie_word_embeddings", c.tie_output}}
      .dump();
}

std::vector<double> gpt2QueryFactors(std::string_view json, const std::string& where) {
  const nlohmann::json object = io::parseJson(json, where);
  io::ObjectReader reader(object, where);
  const Gpt2Sizes s = gpt2Sizes(reader);
  std::vector<double> factors;
  for (std::int64_t layer = 0; layer < s.layers; ++layer)
    factors.push_back((s.scaled ? 1.0 : std::sqrt(double(s.hidden / s.heads))) /
                      (s.scaled_by_layer ? double(layer + 1) : 1.0));
  return factors;
}

}  // namespace

ModelConfig gpt2Config(std::string_view json, const std::string& where) {
  const nlohmann::json object = io::parseJson(json, where);
  io::ObjectReader reader(object, where);
  const Gpt2Sizes s = gpt2Sizes(reader);
  ModelConfig c = pretrainedDecoder(s.vocabulary, s.positions, s.hidden);
  c.activation = activationFrom(reader, "gelu_new", "activation_function");
  c.norm = NormKind::LayerNorm;
  c.positions = Positions::Learned;
  c.tie_output = s.tied;
  const std::int64_t head = s.hidden / s.heads;
  setUniform(c, 0, s.layers, {s.heads, head, head, s.inner, s.eps});
  refuseOtherFields(reader);
  validateAt(c, where);
  return c;
}

Family gpt2Family() {
  return {.type = "gpt2",
          .words = "GPT-2",
          .config = gpt2Config,
          .tensor = gpt2Tensor,
          .begins = "GPT2",
          .prefix = "transformer.",
          .marks = {"wte.", "transformer.wte."},
          .ignored = {"attn.bias", "attn.masked_bias"},
          .factors = gpt2QueryFactors,
          .fields = gpt2Fields,
          .class_name = "GPT2LMHeadModel"};
}

}  // namespace tfm
