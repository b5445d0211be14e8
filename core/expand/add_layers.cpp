// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"
#include "core/expand/recipe.h"
#include "core/model/config_fields.h"

namespace tfm::expand {
namespace {

LayerMethod decide(const ModelConfig& before, const Growth& growth) {
  if (growth.layer_method != LayerMethod::Automatic) return growth.layer_method;
  return before.norm_placement == NormPlacement::Pre ? LayerMethod::ZeroBranches
                                                     : LayerMethod::Gate;
}

void checkMethod(const ModelConfig& before, const Growth& growth, std::int64_t position,
                 const std::vector<LayerConfig>& layers, Recipe& recipe) {
  const bool post = before.norm_placement == NormPlacement::Post;
  if (recipe.layer_method == LayerMethod::ZeroBranches && post) {
    const std::string why = "under post-norm a layer of zeros still normalises";
    if (!growth.allow_inexact)
      refuse(growth, why,
             "Use layer method gate, or allow_inexact with hand_over, which is nearly exact");
    recipe.exact = false;
    recipe.inexact = why;
  }
  if (recipe.layer_method != LayerMethod::HandOver) return;
  if (!post)
    refuse(growth, "layer method hand_over needs post-norm",
           "Use layer method zero_branches or gate");
  if (position == 0)
    refuse(growth, "there is no norm before the first layer to hand over",
           "Use layer method gate, or a later position");
  if (layers[std::size_t(position - 1)].gated)
    refuse(growth, "the previous layer has a gate after its norm", "Use layer method gate");
  if (layers[std::size_t(position - 1)].repeats)
    refuse(growth, "the previous norm is shared by all repeats of its layer",
           "Use layer method gate, or give each layer its own parameters first (unshare)");
  recipe.inexact = "normalising twice equals normalising once only up to eps";
  if (!growth.allow_inexact)
    refuse(growth, "hand_over would change the answers: " + recipe.inexact,
           "Use layer method gate, or allow an inexact expansion");
  recipe.exact = false;
}

/// A new layer cannot separate layers that share parameters.
void checkSharing(const Growth& growth, std::int64_t position, const ModelConfig& model,
                  Stack stack) {
  const std::string instead = "Give each layer its own parameters first (unshare)";
  if (model.share_layers)
    refuse(growth,
           "the layers share their parameters: a new one would be another pass through them",
           instead);
  const std::vector<LayerConfig>& layers = model.layers(stack);
  if (position < std::ssize(layers) && layers[std::size_t(position)].repeats)
    refuse(growth, "the position is between the repeats of a layer",
           instead + ", or choose a position before or after the repeats");
}

}  // namespace

Recipe addLayers(const ModelConfig& before, const Growth& growth) {
  if (before.architecture == Architecture::Attention)
    refuse(growth, "a single attention has no layers", "Grow its heads, key or value size");
  const bool both = before.hasEncoder() && before.hasDecoder();
  if (both && growth.stacks == Stacks::All)
    refuse(growth, "no stack is chosen", "Choose encoder or decoder");
  const bool decoder =
      growth.stacks == Stacks::Decoder || (growth.stacks == Stacks::All && !before.hasEncoder());
  if (decoder ? !before.hasDecoder() : !before.hasEncoder())
    refuse(growth, "the model has no such stack", "Choose a stack that the model has");

  Recipe recipe;
  recipe.after = before;
  auto& layers = decoder ? recipe.after.decoder_layers : recipe.after.encoder_layers;
  const auto count = std::int64_t(layers.size());
  if (growth.size <= count)
    refuse(growth, "the stack already has " + std::to_string(count) + " layers",
           "Choose at least " + std::to_string(count + 1));
  if (growth.size > kMaxLayers)
    refuse(growth, std::to_string(growth.size) + " layers are too many",
           "Choose at most " + std::to_string(kMaxLayers));
  const std::int64_t position = growth.position < 0 ? count : growth.position;
  if (position > count)
    refuse(growth, "position " + std::to_string(position) + " is after the last layer",
           "Allowed: 0 to " + std::to_string(count));
  if (growth.unshare && before.sharesLayers()) {
    recipe.after.unshareLayers();
    recipe.notes.emplace_back("Layers get their own parameters");
  }
  checkSharing(growth, position, recipe.after, decoder ? Stack::Decoder : Stack::Encoder);
  recipe.layer_method = decide(before, growth);
  checkMethod(before, growth, position, layers, recipe);

  const std::int64_t added = growth.size - count;
  LayerConfig fresh = layers[std::size_t(position > 0 ? position - 1 : 0)];
  fresh.gated = recipe.layer_method == LayerMethod::Gate;
  fresh.repeats = false;
  fresh.before = LengthChange::None;
  layers.insert(layers.begin() + position, std::size_t(added), fresh);
  (decoder ? recipe.decoder_position : recipe.encoder_position) = position;
  (decoder ? recipe.decoder_added : recipe.encoder_added) = added;
  return recipe;
}

}  // namespace tfm::expand
