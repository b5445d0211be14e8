// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/pretrained/funnel_parameters.h"

#include <algorithm>
#include <array>

#include "core/base/check.h"
#include "core/model/build_program.h"
#include "core/model/pretrained/encoder_tensors.h"

namespace tfm {
namespace {

/// The library's names of what an encoder has, and how it stores a tensor that has the same numbers
/// in another shape.
struct FunnelPart {
  BlockKind kind;
  ParameterPart part;
  std::string_view name;
  Term term = Term::Weight;  ///< one name for both terms unless it is of a single tensor
  enum Form { Usual, PerHead, Transposed } form = Usual;
};
constexpr BlockKind kAttends = SelfAttention::kKind, kFeeds = FeedForward::kKind;
constexpr std::array kParts{
    FunnelPart{BlockKind{}, ParameterPart::Embedding, "embeddings.word_embeddings"},
    FunnelPart{BlockKind{}, ParameterPart::EmbeddingNorm, "embeddings.layer_norm"},
    FunnelPart{kAttends, ParameterPart::Query, "attention.q_head"},
    FunnelPart{kAttends, ParameterPart::Key, "attention.k_head"},
    FunnelPart{kAttends, ParameterPart::Value, "attention.v_head"},
    FunnelPart{kAttends, ParameterPart::Output, "attention.post_proj"},
    FunnelPart{kAttends, ParameterPart::Norm, "attention.layer_norm"},
    FunnelPart{kAttends, kContentPart, "attention.r_w_bias", Term::Bias, FunnelPart::PerHead},
    FunnelPart{kAttends, kPositionPart, "attention.r_r_bias", Term::Bias, FunnelPart::PerHead},
    FunnelPart{kAttends, kPositionPart, "attention.r_kernel", Term::Weight, FunnelPart::Transposed},
    FunnelPart{kAttends, kSegmentPart, "attention.r_s_bias", Term::Bias, FunnelPart::PerHead},
    FunnelPart{kAttends, kSegmentPart, "attention.seg_embed", Term::Weight, FunnelPart::PerHead},
    FunnelPart{kFeeds, ParameterPart::Linear1, "ffn.linear_1"},
    FunnelPart{kFeeds, ParameterPart::Linear2, "ffn.linear_2"},
    FunnelPart{kFeeds, ParameterPart::Norm, "ffn.layer_norm"}};

const FunnelPart& partOf(const ParameterTag& tag) {
  const auto is = [&](const FunnelPart& p) {
    return p.kind == tag.site.kind && p.part == tag.part &&
           (p.form == FunnelPart::Usual || p.term == tag.term);
  };
  const auto found = std::ranges::find_if(kParts, is);
  check(found != kParts.end(), "the library has every parameter of the encoder");
  return *found;
}

/// "encoder.blocks.1.0." or "decoder.layers.0." of each layer; a repeat has the name of its layer.
std::vector<std::string> layerNames(const ModelConfig& config) {
  std::vector<std::string> names;
  std::string owner = "encoder.blocks.0.";
  std::int64_t block = 0, number = 0;
  for (const LayerConfig& layer : config.encoder_layers) {
    if (layer.before != LengthChange::None) number = 0;
    if (layer.before == LengthChange::Pool)
      owner = "encoder.blocks." + std::to_string(++block) + ".";
    if (layer.before == LengthChange::Upsample) owner = "decoder.layers.";
    names.push_back(layer.repeats ? names.back() : owner + std::to_string(number++) + ".");
  }
  return names;
}

/// The shape that a parameter has in the file.
std::vector<std::int64_t> shapeIn(const ParameterInfo& p, FunnelPart::Form form) {
  if (form == FunnelPart::Usual) return sizes(p.shape);
  const Dimension& heads = form == FunnelPart::Transposed ? p.shape.front() : p.shape.back();
  std::vector<std::int64_t> shape;
  if (form == FunnelPart::Transposed) shape.push_back(p.cols());
  if (form == FunnelPart::PerHead && p.shape.size() > 1) shape.push_back(p.rows());
  for (const AxisSize& factor : heads.factors) shape.push_back(factor.size);
  return shape;
}

}  // namespace

template <class Real>
AlignedVector<Real> funnelParameters(const ModelConfig& config, const io::NamedTensors& tensors,
                                     const std::string& where) {
  const ParameterLayout layout = parameterLayout(config);
  const std::vector<std::string> layers = layerNames(config);
  EncoderTensors file(tensors, {"Funnel", "funnel.", {"encoder.", "embeddings.", "decoder."}, {}},
                      where);
  const auto nameOf = [&](const ParameterTag& tag) {
    const FunnelPart& part = partOf(tag);
    const bool weight = tag.term == Term::Weight || tag.term == Term::Gain;
    return (tag.site.layer < 0 ? "" : layers[std::size_t(tag.site.layer)]) +
           std::string(part.name) +
           (part.form != FunnelPart::Usual ? ""
            : weight                       ? ".weight"
                                           : ".bias");
  };
  // Find all tensors before allocating what the config claims.
  std::vector<const io::NamedTensor*> found;
  for (const ParameterInfo& p : layout.parameters)
    found.push_back(&file.get(nameOf(p.tag), shapeIn(p, partOf(p.tag).form)));
  file.refuseExtra();

  AlignedVector<Real> arena(std::size_t(layout.total));
  for (std::size_t i = 0; i < found.size(); ++i) {
    const ParameterInfo& p = layout.parameters[i];
    const std::vector<Real> values = finiteValues<Real>(*found[i], nameOf(p.tag), where);
    if (partOf(p.tag).form != FunnelPart::Transposed) {
      std::ranges::copy(values, arena.begin() + p.offset);
      continue;
    }
    const MatrixView<Real> to = parameterView(arena.data(), p);
    for (std::int64_t r = 0; r < to.rows; ++r)
      for (std::int64_t c = 0; c < to.cols; ++c) to.at(r, c) = values[std::size_t(c * to.rows + r)];
  }
  return arena;
}

template AlignedVector<float> funnelParameters(const ModelConfig&, const io::NamedTensors&,
                                               const std::string&);
template AlignedVector<double> funnelParameters(const ModelConfig&, const io::NamedTensors&,
                                                const std::string&);

}  // namespace tfm
