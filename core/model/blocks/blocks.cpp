// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/blocks/blocks.h"

#include <algorithm>
#include <array>

namespace tfm {
namespace {

template <class... Blocks>
std::array<AnyBlock, sizeof...(Blocks)> oneOfEach(const std::variant<Blocks...>*) {
  return {Blocks{}...};
}

}  // namespace

std::span<const AnyBlock> blockKinds() {
  static const auto kinds = oneOfEach(static_cast<const AnyBlock*>(nullptr));
  return kinds;
}

BlockKind BlockConfig::kind() const {
  return std::visit([](const auto& block) { return block.kKind; }, f);
}

std::vector<io::Field> BlockConfig::fields() {
  return std::visit([](auto& block) { return block.fields(); }, f);
}

std::vector<BlockSize> BlockConfig::growable() {
  return std::visit([](auto& block) { return block.growable(); }, f);
}

void BlockConfig::check(const std::string& owner, std::int64_t hidden) const {
  std::visit([&](const auto& block) { block.check(owner, hidden); }, f);
}

bool BlockConfig::attendsToMemory() const {
  return std::visit([](const auto& block) { return block.kAttendsToMemory; }, f);
}

bool BlockConfig::standsAlone() const {
  return std::visit([](const auto& block) { return block.kStandsAlone; }, f);
}

void BlockConfig::keepSizes(std::int64_t hidden) {
  const auto keep = [hidden](auto& block) {
    if constexpr (requires { block.base_size; })
      if (block.base_size == 0) block.base_size = hidden;
  };
  std::visit(keep, f);
}

void BlockConfig::setHeads(std::int64_t heads) {
  for (const BlockSize& size : growable()) {
    if (size.axis == Axis::Head) *size.value = heads;
    if (size.own && !size.own->empty()) size.own->resize(std::size_t(heads), *size.value);
  }
}

bool attendsToMemory(BlockKind kind) {
  return std::ranges::any_of(blockKinds(), [&](const AnyBlock& f) {
    const BlockConfig block{f};
    return block.kind() == kind && block.attendsToMemory();
  });
}

std::string blockWords(BlockKind kind) {
  std::string words(kind.name);
  std::ranges::replace(words, '_', '-');
  return words;
}

}  // namespace tfm
