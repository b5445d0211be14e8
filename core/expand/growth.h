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

/// How a new layer preserves the function.
enum class LayerMethod {
  Automatic,     ///< ZeroBranches under pre-norm, Gate under post-norm
  ZeroBranches,  ///< both sub-layers write zeros; pre-norm only
  Gate,          ///< y = x + gate (layer(x) - x) with gate = 0; one more learned number
  /// Post-norm: gain and shift of the previous layer's last norm move to that of the new layer, and
  /// the former is reset. Exact only up to the norm's eps.
  HandOver,
};

/// How the hidden size grows.
enum class HiddenMethod {
  Automatic,  ///< the first of these that is exact for the model
  ZeroPad,    ///< new components are zero; exact under RMSNorm or without norms
  /// Pre-norm LayerNorm: maps that write into the stream are centred, so that zeros keep the mean.
  Centre,
  /// Pre-norm LayerNorm: new components are copies of the old ones, the remainder their mean
  /// (LEMON, Wang et al. 2024).
  Average,
  /// LayerNorm: whole copies of all components; maps that read them split their weights.
  Duplicate,
  /// LayerNorm: norms mask the new components, whose weight then grows during training (MSG, Yao et
  /// al. 2024). The function is preserved at the moment of growing.
  Mask,
};

/// A rule that is broken on purpose, to show what it is for.
enum class Break {
  None,
  RandomInsteadOfZero,       ///< entries that must be zero are random
  NoKeyRescale,              ///< keys are not rescaled although the softmax divides by more
  NoGainRescale,             ///< norm gains are not rescaled
  NoEpsRescale,              ///< the norms' eps is not rescaled
  ZeroPadUnderLayerNorm,     ///< new components are zero although LayerNorm subtracts the mean
  SinusoidRecomputed,        ///< the sinusoid is recomputed for the new width
  EmbeddingScaleRecomputed,  ///< the embedding scale is recomputed for the new width
};

enum class Stacks { All, Encoder, Decoder };
enum class Attentions { All, Self, Cross };

/// One expansion of one kind.
struct Growth {
  Kind kind = Kind::FeedForward;
  std::int64_t size = 0;  ///< the new size; Layers: the number of layers in the stack

  Stacks stacks = Stacks::All;
  std::vector<std::int64_t> layers;  ///< of each of these stacks, from 0; empty: all
  Attentions attentions = Attentions::All;
  /// KeySize and ValueSize: the heads that grow, from 0; empty: all. All heads of an attention are
  /// stored with the size of its largest; the others are padded with zeros until they grow.
  std::vector<std::int64_t> heads;
  std::int64_t position = -1;  ///< Layers: index of the first new layer; -1: after the last

  HiddenMethod hidden_method = HiddenMethod::Automatic;
  std::int64_t mask_steps = 1000;  ///< Mask: training steps until new components have full weight
  LayerMethod layer_method = LayerMethod::Automatic;
  /// Gives layers that share parameters their own first; required to add layers to such a model.
  bool unshare = false;
  /// Allows expansions that are not exact for the model, e.g. zero-padding under LayerNorm.
  bool allow_inexact = false;

  /// The value of free entries; by default they are initialized like a new model.
  std::optional<double> constant;
  /// The seed of free entries; by default derived from the model's seed, step and size.
  std::optional<std::uint64_t> seed;
  Break broken = Break::None;

  bool operator==(const Growth&) const = default;
};

/// Expansions in the order of application.
using Plan = std::vector<Growth>;

/// A JSON list of objects {"kind": "feed_forward", "size": 16, ...}, without fields that have their
/// default value.
std::string toJson(const Plan& plan);
/// Reads what toJson() wrote, or a single object. Throws Error naming the invalid field and what is
/// allowed.
Plan planFromJson(std::string_view json, const std::string& where);

/// Throws Error for a field with another value than its default that has no effect for the kind and
/// method of its growth on any model, as "mask_steps" without method mask.
void refuseWithoutEffect(const Growth& growth, const std::string& where);
/// Gives such fields their defaults.
void dropWithoutEffect(Growth& growth);

/// The current sizes of all that a growth chooses, the encoder's first, per head if heads differ;
/// empty if it chooses nothing. Layers: the number of layers of each stack.
std::vector<std::int64_t> chosenSizes(const ModelConfig& model, const Growth& growth);
/// "5", or "5\u20139" from the smallest to the largest if they differ; "?" for none.
std::string sizesText(const std::vector<std::int64_t>& sizes);
/// As shown to users, with layers and heads counted from 1, e.g. "feed-forward width 5 → 9,
/// decoder, layers 1, 3".
std::string describe(const Growth& growth, const ModelConfig& before);

}  // namespace tfm::expand
