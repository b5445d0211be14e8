// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/pretrained/bert_parameters.h"

#include <algorithm>
#include <array>

#include "core/base/check.h"
#include "core/model/build_program.h"
#include "core/model/pretrained/encoder_tensors.h"

namespace tfm {
namespace {

constexpr std::string_view kTypes = "embeddings.token_type_embeddings.weight";

/// BERT's names of the maps and norms of an encoder.
struct BertPart {
  BlockKind kind;
  ParameterPart part;
  std::string_view name;
};
constexpr std::array kBertParts{
    BertPart{BlockKind{}, ParameterPart::Embedding, "embeddings.word_embeddings"},
    BertPart{BlockKind{}, ParameterPart::Positions, "embeddings.position_embeddings"},
    BertPart{BlockKind{}, ParameterPart::EmbeddingNorm, "embeddings.LayerNorm"},
    BertPart{SelfAttention::kKind, ParameterPart::Query, "attention.self.query"},
    BertPart{SelfAttention::kKind, ParameterPart::Key, "attention.self.key"},
    BertPart{SelfAttention::kKind, ParameterPart::Value, "attention.self.value"},
    BertPart{SelfAttention::kKind, ParameterPart::Output, "attention.output.dense"},
    BertPart{SelfAttention::kKind, ParameterPart::Norm, "attention.output.LayerNorm"},
    BertPart{FeedForward::kKind, ParameterPart::Linear1, "intermediate.dense"},
    BertPart{FeedForward::kKind, ParameterPart::Linear2, "output.dense"},
    BertPart{FeedForward::kKind, ParameterPart::Norm, "output.LayerNorm"}};

std::string bertName(const ParameterTag& tag) {
  const auto is = [&](const BertPart& p) { return p.kind == tag.site.kind && p.part == tag.part; };
  const auto found = std::ranges::find_if(kBertParts, is);
  check(found != kBertParts.end(), "BERT has every parameter of the encoder");
  const std::int64_t layer = tag.site.layer;
  return (layer < 0 ? "" : "encoder.layer." + std::to_string(layer) + ".") +
         std::string(found->name) +
         (tag.term == Term::Weight || tag.term == Term::Gain ? ".weight" : ".bias");
}

}  // namespace

template <class Real>
AlignedVector<Real> bertParameters(const ModelConfig& config, const io::NamedTensors& tensors,
                                   const std::string& where) {
  const ParameterLayout layout = parameterLayout(config);
  EncoderTensors file(
      tensors, {"BERT", "bert.", {"encoder.", "embeddings."}, {"embeddings.position_ids"}}, where);
  // Find all tensors before allocating what the config claims.
  std::vector<const io::NamedTensor*> found;
  for (const ParameterInfo& p : layout.parameters)
    found.push_back(&file.get(bertName(p.tag), sizes(p.shape)));
  const io::NamedTensor& types = file.get(std::string(kTypes), {0, config.hidden});
  file.refuseExtra();

  AlignedVector<Real> arena(std::size_t(layout.total));
  for (std::size_t i = 0; i < found.size(); ++i) {
    const ParameterInfo& p = layout.parameters[i];
    std::ranges::copy(finiteValues<Real>(*found[i], bertName(p.tag), where),
                      arena.begin() + p.offset);
  }
  const ParameterInfo* positions = layout.find({{Stack::Encoder}, ParameterPart::Positions});
  check(positions != nullptr, "BERT has learned positions");
  const std::vector<Real> segment = finiteValues<Real>(types, kTypes, where);
  const MatrixView<Real> table = parameterView(arena.data(), *positions);
  for (std::int64_t r = 0; r < table.rows; ++r)
    for (std::int64_t c = 0; c < table.cols; ++c) table.at(r, c) += segment[std::size_t(c)];
  return arena;
}

template AlignedVector<float> bertParameters(const ModelConfig&, const io::NamedTensors&,
                                             const std::string&);
template AlignedVector<double> bertParameters(const ModelConfig&, const io::NamedTensors&,
                                              const std::string&);

}  // namespace tfm
