// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/expand/growth.h"
#include "core/expand/recipe.h"

namespace tfm::expand {

/// All that is told of a kind of expansion in the engine. Its words and formula on screen are a row
/// of ui/views/grow/growth_kinds.cpp.
struct KindRow {
  std::string_view name;     ///< in plans: "feed_forward"
  std::string_view words;    ///< "feed-forward width"
  std::string_view section;  ///< of Gesmundo and Maile 2023
  std::optional<Axis> axis;  ///< that grows; none: layers are added
  /// The fields of a growth that have an effect, besides kind, size, break, constant and seed.
  std::vector<std::string_view> fields;
  std::string_view
      method;  ///< the one that says how the answers are preserved; "": there is one way
  /// The new config, and how the general rule on axis tags is departed from. Throws Error.
  Recipe (*recipe)(const ModelConfig& before, const Growth& growth, std::int64_t step);
  /// The rules that can be broken on purpose.
  std::vector<Break> (*breaks)(const ModelConfig& before, const Growth& growth);
  /// See chosenSizes().
  std::vector<std::int64_t> (*sizes)(const ModelConfig& before, const Growth& growth);
  /// Where and by which method, after a comma: ", after layer 2, gated"; empty for what is usual.
  std::string (*details)(const Growth& growth);

  bool takes(std::string_view field) const;
};

/// In the order of Kind.
std::span<const KindRow> kinds();
const KindRow& rowOf(Kind kind);

}  // namespace tfm::expand
