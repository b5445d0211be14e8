// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/pretrained/bert_parameters.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

#include "core/base/check.h"
#include "core/base/error.h"
#include "core/io/message_text.h"
#include "core/model/build_program.h"
#include "core/tensor/shape.h"

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

/// The tensors of a file by name without prefix; records which were read.
class BertTensors {
 public:
  BertTensors(const io::NamedTensors& tensors, std::string where)
      : tensors_(tensors), where_(std::move(where)) {
    const bool prefixed = std::ranges::any_of(
        tensors, [](const auto& t) { return t.first.starts_with("bert.embeddings."); });
    if (prefixed) prefix_ = "bert.";
  }

  /// A first dimension of 0 in `shape` accepts any number of rows.
  const io::NamedTensor& get(const std::string& name, const std::vector<std::int64_t>& shape) {
    const auto found = find(name);
    const std::string size = shape.front() == 0
                                 ? "rows of " + sizeText({shape.begin() + 1, shape.end()})
                                 : sizeText(shape);
    const std::string expected = "Expected " + size + " numbers, as the config says";
    if (found == tensors_.end())
      throw Error("tensor " + io::inQuotes(prefix_ + name) + " is missing", where_,
                  expected + ", in a file of a BERT encoder");
    const io::NamedTensor& tensor = found->second;
    const auto fits = [](std::int64_t is, std::int64_t wanted) {
      return wanted == 0 ? is > 0 : is == wanted;
    };
    if (!std::ranges::equal(tensor.shape, shape, fits))
      throw Error("tensor " + io::inQuotes(found->first) + " is " + sizeText(tensor.shape), where_,
                  expected);
    using enum io::DType;
    const std::array kReal{F64, F32, F16, BF16};
    if (std::ranges::find(kReal, tensor.dtype) == kReal.end())
      throw Error("tensor " + io::inQuotes(found->first) + " holds " +
                      std::string(io::dtypeName(tensor.dtype)),
                  where_, "Expected F32, F64, F16 or BF16");
    wanted_.insert(found->first);
    return tensor;
  }

  /// Throws Error for an encoder tensor that was not read: the config describes another encoder.
  void refuseExtra() const {
    for (const auto& [name, tensor] : tensors_) {
      if (wanted_.contains(name) || !name.starts_with(prefix_)) continue;
      const std::string_view inner = std::string_view(name).substr(prefix_.size());
      const bool ours = inner.starts_with("encoder.") || inner.starts_with("embeddings.");
      if (ours && inner != "embeddings.position_ids")
        throw Error("tensor " + io::inQuotes(name) + " does not belong to the encoder", where_,
                    "The config.json describes an encoder without it");
    }
  }

  const std::string& where() const { return where_; }

 private:
  io::NamedTensors::const_iterator find(const std::string& name) const {
    const auto found = tensors_.find(prefix_ + name);
    const bool norm = name.find("LayerNorm.") != std::string::npos;
    if (found != tensors_.end() || !norm) return found;
    // The names in early releases, converted from TensorFlow checkpoints.
    const std::string stem = prefix_ + name.substr(0, name.rfind('.'));
    return tensors_.find(stem + (name.ends_with(".weight") ? ".gamma" : ".beta"));
  }

  const io::NamedTensors& tensors_;
  std::string where_;
  std::string prefix_;
  std::set<std::string> wanted_;
};

template <class Real>
std::vector<Real> finiteValues(const io::NamedTensor& tensor, std::string_view name,
                               const std::string& where) {
  std::vector<Real> values;
  if constexpr (std::is_same_v<Real, float>)
    values = io::floatValues(tensor);
  else
    values = io::doubleValues(tensor);
  if (!std::ranges::all_of(values, [](Real x) { return std::isfinite(x); }))
    throw Error("tensor " + io::inQuotes(name) + " holds values that are not finite numbers", where,
                "The file is damaged or its training diverged");
  return values;
}

}  // namespace

template <class Real>
AlignedVector<Real> bertParameters(const ModelConfig& config, const io::NamedTensors& tensors,
                                   const std::string& where) {
  const ParameterLayout layout = parameterLayout(config);
  BertTensors file(tensors, where);
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
