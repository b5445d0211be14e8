// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

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

  void block(const std::string& name, BlockConfig& block) {
    if (auto* f = std::get_if<FeedForward>(&block.f))
      return raise(name + ", feed-forward width", f->width);
    const bool self = block.kind() == BlockKind::SelfAttention;
    attention(name + (self ? ", self-attention" : ", cross-attention"), *attentionOf(block));
  }
  void requireRaised() const {
    if (!raised_)
      refuse(growth_, "everything chosen already has size " + std::to_string(growth_.size),
             growing());
  }

 private:
  void attention(const std::string& name, AttentionSizes& sizes) {
    for (const std::int64_t head : growth_.heads)
      if (head < 0 || head >= sizes.heads)
        refuse(growth_, name + " has no head " + std::to_string(head + 1),
               "Heads are 1 to " + std::to_string(sizes.heads) + "; in JSON they count from 0");
    if (growth_.kind == Kind::Heads)
      addHeads(name, sizes);
    else
      widen(name + (growth_.kind == Kind::KeySize ? ", key size" : ", value size"), sizes);
  }
  void addHeads(const std::string& name, AttentionSizes& sizes) {
    raise(name + ", heads", sizes.heads);
    for (const Kind kind : {Kind::KeySize, Kind::ValueSize})
      if (const auto [stored, own] = headSizes(sizes, kind); !own.empty())
        own.resize(std::size_t(sizes.heads), stored);
  }
  void widen(const std::string& name, AttentionSizes& sizes) {
    const auto [stored, own_sizes] = headSizes(sizes, growth_.kind);
    std::vector<std::int64_t> own = own_sizes;
    if (own.empty()) own.assign(std::size_t(sizes.heads), stored);
    const bool differ = !growth_.heads.empty() || !own_sizes.empty();
    for (std::int64_t head = 0; head < sizes.heads; ++head) {
      if (!picks(growth_.heads, head)) continue;
      const std::string number = std::to_string(head + 1) + " of " + std::to_string(sizes.heads);
      raise(differ ? name + ", head " + number : name, own[std::size_t(head)]);
    }
    stored = std::max(stored, growth_.size);
    const bool alike =
        std::ranges::all_of(own, [&, most = stored](auto size) { return size == most; });
    own_sizes = alike ? std::vector<std::int64_t>{} : std::move(own);
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

}  // namespace

Recipe growSizes(const ModelConfig& before, const Growth& growth) {
  Recipe recipe;
  recipe.after = before;
  checkLayersExist(before, growth);
  const bool crosses = growth.stacks != Stacks::Encoder && before.hasCrossAttention();
  if (growth.attentions == Attentions::Cross && !crosses)
    refuse(growth, "the model has no cross-attention", "Choose self-attention");
  if (before.share_layers && (growth.unshare || !growth.layers.empty())) {
    if (!growth.unshare)
      refuse(growth, "the layers share their parameters, so one cannot grow alone",
             "Grow all layers, or give each its own parameters first (unshare)");
    recipe.after.share_layers = false;
    recipe.notes.emplace_back("Layers get their own parameters");
  }
  SizeWriter writer(before, growth);
  forEachChosenBlock(
      recipe.after, growth, [&](Stack stack, std::int64_t layer, BlockConfig& block) {
        writer.block(std::string(stackName(stack)) + " layer " + std::to_string(layer + 1), block);
      });
  writer.requireRaised();
  if (!growth.heads.empty())
    recipe.notes.emplace_back(
        "All heads are stored with the size of the largest; the others are padded with zeros until "
        "they grow");
  return recipe;
}

}  // namespace tfm::expand
