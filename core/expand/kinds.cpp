// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/expand/kinds.h"

#include <algorithm>
#include <array>

#include "core/expand/chosen.h"

namespace tfm::expand {
namespace {

Recipe growAxis(const ModelConfig& before, const Growth& growth, std::int64_t) {
  return growSizes(before, growth);
}

Recipe growLayers(const ModelConfig& before, const Growth& growth, std::int64_t) {
  return addLayers(before, growth);
}

std::vector<Break> zerosAlone(const ModelConfig&, const Growth&) {
  return {Break::RandomInsteadOfZero};
}

std::vector<Break> zerosAndKeys(const ModelConfig&, const Growth&) {
  return {Break::RandomInsteadOfZero, Break::NoKeyRescale};
}

std::vector<Break> breaksOfHidden(const ModelConfig& before, const Growth& growth) {
  const bool layer_norm =
      before.norm == NormKind::LayerNorm && before.architecture != Architecture::Attention;
  Growth whole = growth;
  whole.broken = Break::None;
  const HiddenMethod method = hiddenMethod(before, whole);
  std::vector<Break> breaks;
  if (layer_norm) breaks.push_back(Break::ZeroPadUnderLayerNorm);
  if (method == HiddenMethod::ZeroPad && !layer_norm) breaks.push_back(Break::RandomInsteadOfZero);
  // Whole copies and masked norms rescale nothing.
  const bool rescales = method == HiddenMethod::ZeroPad || method == HiddenMethod::Centre ||
                        (method == HiddenMethod::Average && growth.size % before.hidden != 0);
  if (rescales) breaks.push_back(Break::NoGainRescale);
  // Where the states keep their mean square, that of the embeddings alone has another.
  if (rescales && (before.norm_gain || before.embedding_norm))
    breaks.push_back(Break::NoEpsRescale);
  if (before.positions == Positions::Sinusoidal && growth.size % 2 == 0)
    breaks.push_back(Break::SinusoidRecomputed);
  const bool embeds = before.input == InputKind::Tokens || before.hasDecoder();
  // A norm undoes the scale of what is added to nothing.
  const bool adds =
      before.positions == Positions::Learned || before.positions == Positions::Sinusoidal;
  const bool undone = before.embedding_norm && !adds;
  if (before.embedding_scale != 1.0 && embeds && !undone)
    breaks.push_back(Break::EmbeddingScaleRecomputed);
  return breaks;
}

std::vector<std::int64_t> sizesOnAxis(const ModelConfig& before, const Growth& growth) {
  std::vector<std::int64_t> sizes;
  ModelConfig copy = before;
  forEachChosenSize(copy, growth,
                    [&](Stack, std::int64_t, const BlockConfig&, const BlockSize& size) {
                      if (!size.own || size.own->empty()) return sizes.push_back(*size.value);
                      for (std::int64_t head = 0; head < size.heads; ++head)
                        if (picks(growth.heads, head))
                          sizes.push_back((*size.own)[std::size_t(head)]);
                    });
  return sizes;
}

std::vector<std::int64_t> hiddenSize(const ModelConfig& before, const Growth&) {
  return {before.hidden};
}

std::vector<std::int64_t> layerCounts(const ModelConfig& before, const Growth& growth) {
  std::vector<std::int64_t> counts;
  for (const Stack stack : chosenStacks(before, growth.stacks))
    counts.push_back(std::ssize(before.layers(stack)));
  return counts;
}

std::string noDetails(const Growth&) { return {}; }

std::string detailsOfHidden(const Growth& growth) {
  static constexpr const char* kMethods[] = {"",           ", zero-padded", ", centred",
                                             ", averaged", ", duplicated",  ", masked"};
  return kMethods[int(growth.hidden_method)];
}

std::string detailsOfLayers(const Growth& growth) {
  static constexpr const char* kMethods[] = {"", ", zero branches", ", gated", ", handed over"};
  const std::string place = growth.position < 0 ? ""
                            : growth.position == 0
                                ? ", before layer 1"
                                : ", after layer " + std::to_string(growth.position);
  return place + kMethods[int(growth.layer_method)];
}

}  // namespace

bool KindRow::takes(std::string_view field) const {
  return std::ranges::find(fields, field) != fields.end();
}

std::span<const KindRow> kinds() {
  static const std::array<KindRow, 6> kRows{{
      {"feed_forward",
       "feed-forward width",
       "3.1",
       Axis::FeedForward,
       {"stacks", "layers", "unshare"},
       "",
       growAxis,
       zerosAlone,
       sizesOnAxis,
       noDetails},
      {"heads",
       "heads",
       "3.2",
       Axis::Head,
       {"stacks", "layers", "attentions", "unshare"},
       "",
       growAxis,
       zerosAlone,
       sizesOnAxis,
       noDetails},
      {"value_size",
       "value size",
       "3.3",
       Axis::Value,
       {"stacks", "layers", "attentions", "heads_chosen", "unshare"},
       "",
       growAxis,
       zerosAlone,
       sizesOnAxis,
       noDetails},
      {"key_size",
       "key size",
       "3.4",
       Axis::Key,
       {"stacks", "layers", "attentions", "heads_chosen", "unshare"},
       "",
       growAxis,
       zerosAndKeys,
       sizesOnAxis,
       noDetails},
      {"hidden",
       "hidden size",
       "3.5",
       Axis::Hidden,
       {"hidden_method", "mask_steps", "allow_inexact"},
       "hidden_method",
       growHidden,
       breaksOfHidden,
       hiddenSize,
       detailsOfHidden},
      {"layers",
       "layers",
       "3.6",
       std::nullopt,
       {"stacks", "position", "layer_method", "unshare", "allow_inexact"},
       "layer_method",
       growLayers,
       zerosAlone,
       layerCounts,
       detailsOfLayers},
  }};
  return kRows;
}

const KindRow& rowOf(Kind kind) { return kinds()[std::size_t(kind)]; }

}  // namespace tfm::expand
