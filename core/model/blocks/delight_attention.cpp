// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/blocks/delight_attention.h"

#include <algorithm>
#include <bit>

#include "core/base/error.h"
#include "core/model/blocks/attention.h"
#include "core/model/composites/model_builder.h"

namespace tfm {

std::int64_t DelightAttention::half(std::int64_t hidden) const {
  return (base_size > 0 ? base_size : hidden) / 2;
}

std::vector<GroupedSizes> DelightAttention::maps(std::int64_t hidden) const {
  const std::int64_t base = base_size > 0 ? base_size : hidden;
  return dextraMaps(base / 2, base / 2, width * double(base), depth,
                    most_groups > 0 ? most_groups : dextraGroups(base), {rising_groups, mixer});
}

std::vector<io::Field> DelightAttention::fields() {
  using io::IntegerSlot;
  using io::RealSlot;
  using io::SwitchSlot;
  constexpr std::int64_t kMaxDepth = 64, kMaxGroups = 1024, kMaxHidden = 65'536;
  return {{"depth", "Grouped maps of its DExTra unit", IntegerSlot{&depth, 2, kMaxDepth}},
          {"width", "Width of the widest of them, in hidden sizes", RealSlot{&width, 0.5, 64.0}},
          {"most_groups", "Their largest number of groups; 0 for the usual one",
           IntegerSlot{&most_groups, 0, kMaxGroups}},
          {"rising_groups", "Groups double towards the widest map; else all have most_groups",
           SwitchSlot{&rising_groups}},
          {"shuffle", "Every grouped map hands features of all groups to each of the next",
           SwitchSlot{&shuffle}},
          {"mixer", "The projected input joins every map after the first", SwitchSlot{&mixer}},
          {"base_size", "Hidden size from which its sizes are derived; 0 for the model's",
           IntegerSlot{&base_size, 0, kMaxHidden}}};
}

std::vector<BlockSize> DelightAttention::growable() { return {}; }

void DelightAttention::check(const std::string& owner, std::int64_t hidden) const {
  const auto refuse = [](const std::string& what, const std::string& allowed) {
    throw Error(what, "model config", "Allowed: " + allowed);
  };
  if (base_size > hidden)
    refuse(owner + "base_size is " + std::to_string(base_size),
           "a size up to hidden, " + std::to_string(hidden));
  const std::int64_t base = base_size > 0 ? base_size : hidden;
  if (base % 2 != 0)
    refuse((base_size > 0 ? owner + "base_size is " : "hidden is ") + std::to_string(base),
           "an even size, because DeLighT's attention runs at half of it");
  const std::int64_t groups = most_groups > 0 ? most_groups : dextraGroups(base);
  const bool power = std::has_single_bit(std::uint64_t(groups));
  const auto parts = [&](const GroupedSizes& map) { return half(hidden) % map.groups == 0; };
  if (power && std::ranges::all_of(maps(hidden), parts)) return;
  refuse(owner + "most_groups is " + std::to_string(groups),
         "a power of two that divides half the hidden size, " + std::to_string(half(hidden)) +
             ", up to " + std::to_string(half(hidden) & -half(hidden)) +
             ", or another hidden size");
}

TensorId DelightAttention::build(ModelBuilder& m, const Place& place, const DelightAttention&,
                                 TensorId x, const BlockContext& around) const {
  const std::int64_t hidden = m.config.hidden, width = half(hidden);
  const Dimension axis{{Axis::Dextra, width}};
  const TensorId reduced =
      dextraUnit(m, place, x, {{Axis::Hidden, hidden}}, axis, {maps(hidden), shuffle, mixer});
  const Memory itself{reduced, around.pad, around.rows.length, width, axis};
  return attentionSteps(m, place, reduced, axis, around.rows, itself, {1, width, width}, 1,
                        around.causal);
}

}  // namespace tfm
