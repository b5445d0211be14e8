// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/pretrained/gpt2.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/check.h"
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
  readNeeded(reader, neededGpt2(s), "a GPT-2");
  const std::vector<io::Field> others = otherGpt2(s);
  reader.readFields(others);
  io::checkFields(others, reader.where());
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

struct Gpt2Part {
  BlockKind kind;
  ParameterPart part;
  std::string_view name;
  bool stored_in_out = false;
  std::int64_t third = -1;  ///< of a matrix that holds three maps
};
constexpr BlockKind kAttention = SelfAttention::kKind, kFeedForward = FeedForward::kKind;
constexpr std::array kGpt2Parts{Gpt2Part{BlockKind{}, ParameterPart::Embedding, "wte"},
                                Gpt2Part{BlockKind{}, ParameterPart::Positions, "wpe"},
                                Gpt2Part{BlockKind{}, ParameterPart::FinalNorm, "ln_f"},
                                Gpt2Part{BlockKind{}, ParameterPart::Output, "lm_head"},
                                Gpt2Part{kAttention, ParameterPart::Norm, "ln_1"},
                                Gpt2Part{kAttention, ParameterPart::Query, "attn.c_attn", true, 0},
                                Gpt2Part{kAttention, ParameterPart::Key, "attn.c_attn", true, 1},
                                Gpt2Part{kAttention, ParameterPart::Value, "attn.c_attn", true, 2},
                                Gpt2Part{kAttention, ParameterPart::Output, "attn.c_proj", true},
                                Gpt2Part{kFeedForward, ParameterPart::Norm, "ln_2"},
                                Gpt2Part{kFeedForward, ParameterPart::Linear1, "mlp.c_fc", true},
                                Gpt2Part{kFeedForward, ParameterPart::Linear2, "mlp.c_proj", true}};

ForeignTensor gpt2Tensor(const ForeignModel& model, const ParameterInfo& p) {
  const auto is = [&](const Gpt2Part& part) {
    return part.kind == p.tag.site.kind && part.part == p.tag.part;
  };
  const auto part = std::ranges::find_if(kGpt2Parts, is);
  check(part != kGpt2Parts.end(), "GPT-2 has every parameter of the decoder");
  const std::int64_t layer = p.tag.site.layer;
  const bool weight = p.tag.term == Term::Weight || p.tag.term == Term::Gain;
  ForeignTensor tensor{.name = (layer < 0 ? "" : "h." + std::to_string(layer) + ".") +
                               std::string(part->name) + (weight ? ".weight" : ".bias"),
                       .shape = sizes(p.shape),
                       .transposed = part->stored_in_out && p.tag.term == Term::Weight};
  if (part->third >= 0) {
    tensor.first = part->third * tensor.shape.front();
    tensor.shape.front() *= 3;
  }
  if (tensor.transposed) std::swap(tensor.shape.front(), tensor.shape.back());
  if (part->part == ParameterPart::Query) tensor.factor = model.query_factors[std::size_t(layer)];
  if (part->part == ParameterPart::Embedding && model.config.tie_output)
    tensor.other = "lm_head.weight";
  return tensor;
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
          .query_factors = gpt2QueryFactors};
}

}  // namespace tfm
