// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/base/error.h"
#include "core/expand/recipe.h"
#include "core/model/unused_attention.h"

namespace tfm::expand {
namespace {

struct Stack {
  std::string name;
  std::vector<LayerConfig>* layers;
  bool crosses;
};

std::vector<Stack> chosenStacks(ModelConfig& config, Stacks stacks) {
  std::vector<Stack> chosen;
  if (stacks != Stacks::Decoder && !config.encoder_layers.empty())
    chosen.push_back({"encoder", &config.encoder_layers, false});
  if (stacks != Stacks::Encoder && !config.decoder_layers.empty())
    chosen.push_back({"decoder", &config.decoder_layers, config.hasCrossAttention()});
  return chosen;
}

/// Stored and own sizes of the heads of an attention.
struct HeadSizes {
  std::int64_t& stored;
  std::vector<std::int64_t>& own;
};

HeadSizes headSizes(AttentionSizes& sizes, Kind kind) {
  if (kind == Kind::KeySize) return {sizes.key_size, sizes.key_sizes};
  return {sizes.value_size, sizes.value_sizes};
}

/// The smallest size to which all of these can grow and one of them does.
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

  void layer(const std::string& name, LayerConfig& layer, bool crosses) {
    if (growth_.kind == Kind::FeedForward) {
      raise(name + ", feed-forward width", layer.feed_forward);
      return;
    }
    if (growth_.attentions != Attentions::Cross)
      attention(name + ", self-attention", layer.self_attention);
    if (crosses && growth_.attentions != Attentions::Self)
      attention(name + ", cross-attention", layer.cross_attention);
  }
  void requireRaised() const {
    if (!raised_)
      refuse(growth_, "everything chosen has size " + std::to_string(growth_.size) + " already",
             growing());
  }

 private:
  void attention(const std::string& name, AttentionSizes& sizes) {
    for (const std::int64_t head : growth_.heads)
      if (head < 0 || head >= sizes.heads)
        refuse(growth_, name + " has no head " + std::to_string(head + 1),
               "Its heads are 1 to " + std::to_string(sizes.heads) +
                   "; in JSON they are counted from 0");
    if (growth_.kind == Kind::Heads)
      addHeads(name, sizes);
    else
      widen(name + (growth_.kind == Kind::KeySize ? ", key size" : ", value size"), sizes.heads,
            headSizes(sizes, growth_.kind));
  }
  void addHeads(const std::string& name, AttentionSizes& sizes) {
    raise(name + ", heads", sizes.heads);
    for (const Kind kind : {Kind::KeySize, Kind::ValueSize})
      if (const HeadSizes size = headSizes(sizes, kind); !size.own.empty())
        size.own.resize(std::size_t(sizes.heads), size.stored);
  }
  void widen(const std::string& name, std::int64_t heads, HeadSizes sizes) {
    std::vector<std::int64_t> own = sizes.own;
    if (own.empty()) own.assign(std::size_t(heads), sizes.stored);
    for (std::int64_t head = 0; head < heads; ++head) {
      const auto& chosen = growth_.heads;
      if (!chosen.empty() && std::find(chosen.begin(), chosen.end(), head) == chosen.end())
        continue;
      const bool differ = !chosen.empty() || !sizes.own.empty();
      const std::string number = std::to_string(head + 1) + " of " + std::to_string(heads);
      raise(differ ? name + ", head " + number : name, own[std::size_t(head)]);
    }
    sizes.stored = std::max(sizes.stored, growth_.size);
    const bool alike = std::ranges::all_of(own, [&](auto size) { return size == sizes.stored; });
    sizes.own = alike ? std::vector<std::int64_t>{} : std::move(own);
  }
  void raise(const std::string& name, std::int64_t& size) {
    if (growth_.size < size)
      refuse(growth_, name + ": it is " + std::to_string(size) + " already", growing());
    raised_ = raised_ || growth_.size > size;
    size = growth_.size;
  }
  std::string growing() const {
    return "Growing makes larger: choose at least " + std::to_string(least_);
  }

  const Growth& growth_;
  std::int64_t least_;  ///< that would be larger
  bool raised_ = false;
};

void checkLayersExist(const Growth& growth, const std::vector<Stack>& stacks) {
  if (stacks.empty())
    refuse(growth, "the model has no such stack", "Choose a stack that the model has");
  for (const std::int64_t layer : growth.layers) {
    const auto has = [&](const Stack& s) {
      return layer >= 0 && layer < std::int64_t(s.layers->size());
    };
    if (std::none_of(stacks.begin(), stacks.end(), has))
      refuse(growth, "there is no layer " + std::to_string(layer + 1),
             "The layers are 1 to " + std::to_string(stacks.front().layers->size()) +
                 "; in JSON they are counted from 0");
  }
}

}  // namespace

Recipe growSizes(const ModelConfig& before, const Growth& growth) {
  Recipe recipe;
  recipe.after = before;
  const std::vector<Stack> stacks = chosenStacks(recipe.after, growth.stacks);
  checkLayersExist(growth, stacks);
  const bool crosses =
      std::any_of(stacks.begin(), stacks.end(), [](const Stack& s) { return s.crosses; });
  if (growth.attentions == Attentions::Cross && !crosses)
    refuse(growth, "there is no cross-attention", "Choose self-attention");
  if (before.share_layers && (growth.unshare || !growth.layers.empty())) {
    if (!growth.unshare)
      refuse(growth, "the layers share their parameters, so one cannot grow alone",
             "Grow all layers, or give each its own parameters first (unshare)");
    recipe.after.share_layers = false;
    recipe.notes.emplace_back("Each layer gets parameters of its own");
  }
  SizeWriter writer(before, growth);
  for (const Stack& stack : stacks) {
    for (std::size_t i = 0; i < stack.layers->size(); ++i) {
      const auto& chosen = growth.layers;
      if (!chosen.empty() &&
          std::find(chosen.begin(), chosen.end(), std::int64_t(i)) == chosen.end())
        continue;
      writer.layer(stack.name + " layer " + std::to_string(i + 1), (*stack.layers)[i],
                   stack.crosses);
    }
  }
  writer.requireRaised();
  alignUnusedAttention(recipe.after);
  if (!growth.heads.empty())
    recipe.notes.emplace_back(
        "All heads are stored with the size of the largest: the others are filled up with zeros "
        "that stay zero until they grow themselves");
  return recipe;
}

}  // namespace tfm::expand
