// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/model_config.h"

namespace tfm::expand {

/// The six expansions (Gesmundo and Maile 2023, sections 3.1 to 3.6).
enum class Kind {
  FeedForward,  ///< 3.1 inner width of the feed-forward block
  Heads,        ///< 3.2 heads of an attention
  ValueSize,    ///< 3.3 value size of its heads
  KeySize,      ///< 3.4 key and query size of its heads
  Hidden,       ///< 3.5 width of the residual stream
  Layers,       ///< 3.6 one more layer
};

/// How a new layer is made to change nothing.
enum class LayerMethod {
  Automatic,     ///< ZeroBranches under pre-norm, Gate under post-norm
  ZeroBranches,  ///< both sub-layers write zeros; pre-norm only
  Gate,          ///< y = x + gate (layer(x) - x) with gate = 0; one more learned number
  /// Post-norm: the last norm of the layer before hands its gain and shift over and becomes the
  /// plain norm. Exact up to the norm's eps only.
  HandOver,
};

/// How the hidden size grows.
enum class HiddenMethod {
  Automatic,  ///< the first of these that is exact for the model
  ZeroPad,    ///< new components are zero; exact under RMSNorm, or where nothing is normalised
  /// Pre-norm LayerNorm: what writes into the stream is centred, so that zeros keep the mean.
  Centre,
  /// Pre-norm LayerNorm: new components are copies of the old ones, and their mean where they do
  /// not come out even (LEMON, Wang et al. 2024).
  Average,
  /// LayerNorm: every component is there a whole number of times; readers split their weights.
  Duplicate,
  /// LayerNorm: norms leave the new components out at first and count them more and more while
  /// training goes on (MSG, Yao et al. 2024). The function is kept at the moment of growing.
  Mask,
};

/// What is done wrong on purpose, to see what the rule is for.
enum class Break {
  None,
  RandomInsteadOfZero,       ///< entries that must be zero are drawn
  NoKeyRescale,              ///< keys keep their length although the softmax divides by more
  NoGainRescale,             ///< norm gains are not rescaled
  NoEpsRescale,              ///< the norms' eps is not rescaled
  ZeroPadUnderLayerNorm,     ///< new components are zero although LayerNorm subtracts the mean
  SinusoidRecomputed,        ///< the sinusoid is computed for the new width
  EmbeddingScaleRecomputed,  ///< the embedding scale becomes the root of the new width
};

enum class Stacks { All, Encoder, Decoder };
enum class Attentions { All, Self, Cross };

/// One expansion of one kind.
struct Growth {
  Kind kind = Kind::FeedForward;
  std::int64_t size = 0;  ///< after; Layers: of one stack, one more than before or more

  Stacks stacks = Stacks::All;
  std::vector<std::int64_t> layers;  ///< of each of these stacks, from 0; empty: all
  Attentions attentions = Attentions::All;
  /// KeySize and ValueSize: the heads that grow, from 0; empty: all. All heads of an attention are
  /// stored with the size of its largest: the others are filled up with zeros that stay zero until
  /// they grow themselves.
  std::vector<std::int64_t> heads;
  std::int64_t position = -1;  ///< Layers: index of the first new layer; -1: after the last

  HiddenMethod hidden_method = HiddenMethod::Automatic;
  std::int64_t mask_steps = 1000;  ///< Mask: training steps until new components count fully
  LayerMethod layer_method = LayerMethod::Automatic;
  /// Layers that share parameters get their own first; without it a new layer is refused there.
  bool unshare = false;
  /// Do what is not exact for this model, e.g. zero-padding under LayerNorm; else it is refused.
  bool allow_inexact = false;

  /// Free entries: drawn as the model's first values are, unless this gives them one value.
  std::optional<double> constant;
  /// Of the free entries; nothing: made from the model's seed, step and size.
  std::optional<std::uint64_t> seed;
  Break broken = Break::None;

  bool operator==(const Growth&) const = default;
};

/// Expansions in the order in which they are applied.
using Plan = std::vector<Growth>;

/// One object for a growth, a list for a plan: {"kind": "feed_forward", "size": 16, ...}. Fields
/// with their usual values are left out.
std::string toJson(const Plan& plan);
/// Reads what toJson wrote. Throws Error naming the field that is wrong and what is allowed.
Plan planFromJson(std::string_view json, const std::string& where);

/// "feed_forward", "heads", "value_size", "key_size", "hidden", "layers".
std::string_view kindName(Kind kind);
/// The axis that a kind makes longer; nothing for layers.
std::optional<Axis> axisOf(Kind kind);
/// The present sizes of all that a growth chooses, the encoder's first, and where heads have sizes
/// of their own that of each; empty where it chooses nothing that is there. Layers: the number of
/// layers of each stack.
std::vector<std::int64_t> chosenSizes(const ModelConfig& model, const Growth& growth);
/// "5", or "5\u20139" from the smallest to the largest where they differ; "?" for none.
std::string sizesText(const std::vector<std::int64_t>& sizes);
/// In the words of the interface, with layers and heads counted from 1 as people do, e.g.
/// "feed-forward width 5 → 9, decoder, layers 1, 3".
std::string describe(const Growth& growth, const ModelConfig& before);

}  // namespace tfm::expand
