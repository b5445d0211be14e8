// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/pretrained/torch_encoder.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "core/base/check.h"
#include "core/base/error.h"
#include "core/io/json_guard.h"
#include "core/model/config_fields.h"
#include "core/model/pretrained/foreign_config.h"
#include "core/model/pretrained/hidden_act.h"

namespace tfm {
namespace {

constexpr const char* kBatchFirst = "batch_first";
constexpr std::int64_t kLongest = 64;  // where its inputs do not say; it has no positions

/// PyTorch's names of the maps and norms, and those of the notebook that writes its own layer.
struct TorchPart {
  BlockKind kind;
  ParameterPart part;
  std::string_view name, notebook;
  std::int64_t third = -1;  ///< of a matrix that holds three maps
};
constexpr std::string_view kMaps = "self_attn.in_proj_", kNotebookMaps = "block1.0.mha.in_proj_";
constexpr std::array kTorchParts{
    TorchPart{SelfAttention::kKind, ParameterPart::Query, kMaps, kNotebookMaps, 0},
    TorchPart{SelfAttention::kKind, ParameterPart::Key, kMaps, kNotebookMaps, 1},
    TorchPart{SelfAttention::kKind, ParameterPart::Value, kMaps, kNotebookMaps, 2},
    TorchPart{SelfAttention::kKind, ParameterPart::Output, "self_attn.out_proj.",
              "block1.0.mha.out_proj."},
    TorchPart{SelfAttention::kKind, ParameterPart::Norm, "norm1.", "norm1."},
    TorchPart{FeedForward::kKind, ParameterPart::Linear1, "linear1.", "block2.0."},
    TorchPart{FeedForward::kKind, ParameterPart::Linear2, "linear2.", "block2.3."},
    TorchPart{FeedForward::kKind, ParameterPart::Norm, "norm2.", "norm2."},
    TorchPart{BlockKind{}, ParameterPart::FinalNorm, "norm.", "norm."}};

const TorchPart& torchPart(const ParameterTag& tag) {
  const auto is = [&](const TorchPart& p) { return p.kind == tag.site.kind && p.part == tag.part; };
  const auto found = std::ranges::find_if(kTorchParts, is);
  check(found != kTorchParts.end(), "PyTorch has every parameter of the encoder");
  return *found;
}

/// How a file names the layers: PyTorch's or the notebook's, with their numbers or a single one.
class TorchNames {
 public:
  explicit TorchNames(const io::StoredTensors& tensors) {
    const auto any = [&](std::string_view part) {
      return std::ranges::any_of(
          tensors, [&](const auto& t) { return t.first.find(part) != std::string::npos; });
    };
    notebook_ = any("block1.");
    const std::string_view stem = notebook_ ? "network." : "layers.";
    if (any(stem)) stem_ = stem;
  }

  std::string of(const ParameterTag& tag, std::int64_t layer) const {
    const TorchPart& part = torchPart(tag);
    const bool inside = layer >= 0 && !stem_.empty();
    return (inside ? stem_ + std::to_string(layer) + '.' : "") +
           std::string(notebook_ ? part.notebook : part.name) +
           (tag.term == Term::Weight || tag.term == Term::Gain ? "weight" : "bias");
  }

 private:
  bool notebook_ = false;
  std::string stem_;
};

ForeignTensor torchTensor(const ForeignModel& model, const ParameterInfo& p) {
  const TorchNames names(model.tensors);
  const ModelConfig& config = model.config;
  const std::int64_t layer = p.tag.site.layer;
  if (p.tag.term == Term::Shift && layer >= 0 && !config.attention_bias) return {};  // bias = False
  ForeignTensor tensor{.name = names.of(p.tag, layer), .shape = sizes(p.shape)};
  if (const std::int64_t third = torchPart(p.tag).third; third >= 0) {
    tensor.first = third * tensor.shape.front();
    tensor.shape.front() *= 3;
  }
  if (config.share_layers && layer >= 0)
    for (std::size_t other = 1; other < config.encoder_layers.size(); ++other)
      tensor.copies.push_back(names.of(p.tag, std::int64_t(other)));
  return tensor;
}

}  // namespace

bool isBatchFirst(std::string_view json, const std::string& where) {
  const nlohmann::json object = io::parseJson(json, where);
  return io::ObjectReader(object, where).get(kBatchFirst, false);
}

ModelConfig torchEncoderConfig(std::string_view json, const std::string& where) {
  const nlohmann::json object = io::parseJson(json, where);
  io::ObjectReader reader(object, where);
  reader.child("model_type");
  std::int64_t d_model = 0, nhead = 0, dim_feedforward = 2048, num_layers = 1;
  constexpr double kUsualEps = 1e-5;  // of nn.LayerNorm
  double dropout = 0.1, layer_norm_eps = kUsualEps, norm_eps = kUsualEps;
  bool batch_first = false, norm_first = false, bias = true;
  ModelConfig c;
  c.final_norm = false;
  using io::IntegerSlot, io::RealSlot, io::SwitchSlot;
  constexpr std::int64_t kMax = kMaxPretrainedSize;
  const std::vector<io::Field> needed{{"d_model", "Width", IntegerSlot{&d_model, 1, kMax}},
                                      {"nhead", "Heads", IntegerSlot{&nhead, 1, kMax}}};
  const std::vector<io::Field> others{
      {"dim_feedforward", "Feed-forward width", IntegerSlot{&dim_feedforward, 1, kMax}},
      {"num_layers", "Layers", IntegerSlot{&num_layers, 1, kMaxLayers}},
      {"dropout", "Dropout", RealSlot{&dropout, 0.0, 1.0}},
      {"layer_norm_eps", "Epsilon of the norms", RealSlot{&layer_norm_eps, 0.0, 1.0}},
      {kBatchFirst, "Sequences before positions", SwitchSlot{&batch_first}},
      {"norm_first", "Norms before the blocks", SwitchSlot{&norm_first}},
      {"bias", "Biases", SwitchSlot{&bias}},
      {"norm", "A norm after the last layer", SwitchSlot{&c.final_norm}},
      {"norm_eps", "Its epsilon", RealSlot{&norm_eps, 0.0, 1.0}},
      {"share_layers", "One object for all layers", SwitchSlot{&c.share_layers}}};
  readSizes(reader, needed, others, "a TransformerEncoder");
  c.activation = activationFrom(reader, "relu", "activation");
  reader.refuseUnknown();
  // nn.LayerNorm(d_model) has its own eps; nn.Transformer gives its norm that of the layers.
  if (c.final_norm && layer_norm_eps != kUsualEps && !object.contains("norm_eps"))
    throw Error("layer_norm_eps is that of the layers; that of the norm after them is missing",
                where,
                "Add \"norm_eps\": 1e-05 for nn.LayerNorm(d_model), layer_norm_eps for the "
                "encoder of nn.Transformer");
  if (d_model % nhead != 0)
    throw Error("d_model is " + std::to_string(d_model), where,
                "Allowed: a multiple of nhead, " + std::to_string(nhead));
  c.architecture = Architecture::Encoder;
  c.input = InputKind::Features;
  c.output = OutputKind::None;
  c.source_length = kLongest;
  c.hidden = d_model;
  c.norm_placement = norm_first ? NormPlacement::Pre : NormPlacement::Post;
  c.positions = Positions::None;
  c.attention_bias = c.feed_forward_bias = bias;
  c.attention_dropout = c.residual_dropout = c.feed_forward_dropout = dropout;
  const std::int64_t head = d_model / nhead;
  setUniform(c, num_layers, 0, {nhead, head, head, dim_feedforward, layer_norm_eps});
  c.encoder_final_norm_eps = norm_eps;
  validateAt(c, where);
  return c;
}

Family torchEncoderFamily() {
  return {.type = "TransformerEncoder",
          .words = "PyTorch encoder",
          .config = torchEncoderConfig,
          .tensor = torchTensor,
          .marks = {"layers.0.", "self_attn.", "network.0.", "block1."}};
}

}  // namespace tfm
