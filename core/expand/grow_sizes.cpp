// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <set>

#include "core/base/error.h"
#include "core/expand/chosen.h"
#include "core/expand/recipe.h"

namespace tfm::expand {
namespace {

/// The smallest size that is at least all of `sizes` and larger than one of them.
std::int64_t leastSize(const std::vector<std::int64_t>& sizes) {
  if (sizes.empty()) return 1;
  const auto [least, most] = std::minmax_element(sizes.begin(), sizes.end());
  return *least == *most ? *most + 1 : *most;
}

/// Writes the new sizes.
class SizeWriter {
 public:
  SizeWriter(const ModelConfig& before, const Growth& growth)
      : growth_(growth), least_(leastSize(chosenSizes(before, growth))) {}

  void write(const std::string& place, BlockConfig& block, const BlockSize& size) {
    const std::string owner = place + ", " + blockWords(block.kind());
    const std::string name = owner + " " + std::string(size.words);
    if (size.own) return widen(owner, name, size);
    std::int64_t raised = *size.value;
    raise(name, raised);
    if (size.axis == Axis::Head)
      block.setHeads(raised);
    else
      *size.value = raised;
  }
  void requireRaised() const {
    if (!raised_)
      refuse(growth_, "everything chosen already has size " + std::to_string(growth_.size),
             growing());
  }

 private:
  void widen(const std::string& owner, const std::string& name, const BlockSize& size) {
    for (const std::int64_t head : growth_.heads)
      if (head < 0 || head >= size.heads)
        refuse(growth_, owner + " has no head " + std::to_string(head + 1),
               "Heads are 1 to " + std::to_string(size.heads) + "; in JSON they count from 0");
    std::vector<std::int64_t> own = *size.own;
    if (own.empty()) own.assign(std::size_t(size.heads), *size.value);
    const bool differ = !growth_.heads.empty() || !size.own->empty();
    for (std::int64_t head = 0; head < size.heads; ++head) {
      if (!picks(growth_.heads, head)) continue;
      const std::string number = std::to_string(head + 1) + " of " + std::to_string(size.heads);
      raise(differ ? name + ", head " + number : name, own[std::size_t(head)]);
    }
    *size.value = std::max(*size.value, growth_.size);
    const bool alike =
        std::ranges::all_of(own, [&, most = *size.value](auto one) { return one == most; });
    *size.own = alike ? std::vector<std::int64_t>{} : std::move(own);
  }
  void raise(const std::string& name, std::int64_t& size) {
    if (growth_.size < size)
      refuse(growth_, name + " is already " + std::to_string(size), growing());
    raised_ = raised_ || growth_.size > size;
    size = growth_.size;
  }
  std::string growing() const { return "Choose at least " + std::to_string(least_); }

  const Growth& growth_;
  std::int64_t least_;  ///< smallest allowed size
  bool raised_ = false;
};

void checkLayersExist(const ModelConfig& model, const Growth& growth) {
  const std::vector<Stack> stacks = chosenStacks(model, growth.stacks);
  if (stacks.empty())
    refuse(growth, "the model has no such stack", "Choose a stack that the model has");
  for (const std::int64_t layer : growth.layers) {
    const auto has = [&](Stack s) { return layer >= 0 && layer < std::ssize(model.layers(s)); };
    if (std::ranges::none_of(stacks, has))
      refuse(growth, "there is no layer " + std::to_string(layer + 1),
             "Layers are 1 to " + std::to_string(model.layers(stacks.front()).size()) +
                 "; in JSON they count from 0");
  }
}

/// Whether some of the layers that share parameters are chosen and others are not.
bool partsSharers(const ModelConfig& model, const Growth& growth) {
  for (const Stack stack : chosenStacks(model, growth.stacks))
    for (std::int64_t i = 0; i < std::ssize(model.layers(stack)); ++i)
      if (picks(growth.layers, i) != picks(growth.layers, model.holderOf(stack, i))) return true;
  return false;
}

bool hasDelight(const ModelConfig& model) {
  for (const auto* layers : {&model.encoder_layers, &model.decoder_layers})
    for (const LayerConfig& layer : *layers)
      for (const BlockConfig& block : layer.blocks)
        if (std::holds_alternative<DelightAttention>(block.f)) return true;
  return false;
}

/// New components of queries and keys are not turned, so that the old ones turn as before.
void keepTurnedComponents(const ModelConfig& before, const Growth& growth, ModelConfig& after) {
  if (before.query_key_norm)
    refuse(growth,
           "queries and keys are normed: with more components that are zero, none of these would "
           "ever learn",
           "Grow another size");
  if (before.positions != Positions::Rotary || before.rotary_size > 0) return;
  std::set<std::int64_t> sizes;
  for (const Stack stack : {Stack::Encoder, Stack::Decoder})
    for (const LayerConfig& layer : before.layers(stack))
      for (const BlockConfig& block : layer.blocks)
        if (const auto* attention = std::get_if<SelfAttention>(&block.f))
          sizes.insert(attention->sizes.key_size);
  if (sizes.size() > 1)
    refuse(growth, "the key sizes of the layers differ, and all their components are turned",
           "Set rotary_size, which all layers then share");
  after.rotary_size = *sizes.begin();
}

}  // namespace

Recipe growSizes(const ModelConfig& before, const Growth& growth) {
  Recipe recipe;
  recipe.after = before;
  checkLayersExist(before, growth);
  const bool crosses = growth.stacks != Stacks::Encoder && before.hasCrossAttention();
  if (growth.attentions == Attentions::Cross && !crosses)
    refuse(growth,
           before.hasCrossAttention() ? "the encoder has no cross-attention"
                                      : "the model has no cross-attention",
           before.hasCrossAttention() ? "Choose self-attention, or the decoder"
                                      : "Choose self-attention");
  if (growth.unshare && before.sharesLayers()) {
    recipe.after.unshareLayers();
    recipe.notes.emplace_back("Layers get their own parameters");
  } else if (partsSharers(before, growth)) {
    refuse(growth, "the layers share their parameters, so one cannot grow alone",
           "Grow all layers that share them, or give each its own parameters first (unshare)");
  }
  if (chosenSizes(before, growth).empty())
    refuse(
        growth, "nothing chosen has such a size",
        growth.kind != Kind::FeedForward && hasDelight(before)
            ? "Grow another size. An attention of DeLighT always has one head of half the hidden "
              "size"
            : "Grow another size, or choose other layers");
  SizeWriter writer(before, growth);
  forEachChosenSize(
      recipe.after, growth,
      [&](Stack stack, std::int64_t layer, BlockConfig& block, const BlockSize& size) {
        writer.write(std::string(stackName(stack)) + " layer " + std::to_string(layer + 1), block,
                     size);
      });
  writer.requireRaised();
  if (growth.kind == Kind::KeySize) keepTurnedComponents(before, growth, recipe.after);
  if (!growth.heads.empty())
    recipe.notes.emplace_back(
        "All heads are stored with the size of the largest; the others are padded with zeros until "
        "they grow");
  return recipe;
}

}  // namespace tfm::expand
