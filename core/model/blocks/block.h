// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/io/fields.h"
#include "core/program/program.h"
#include "core/tensor/shape.h"

namespace tfm {

struct ModelBuilder;
struct Place;
struct Surroundings;

/// A size of a block that an expansion makes larger and of which a submodel takes a part. The axis
/// says which: the expansion of feed-forward widths, heads, key sizes or value sizes; a submodel
/// has widths (FeedForward) and heads (Head).
struct BlockSize {
  Axis axis;
  std::string_view words;  ///< in messages, e.g. "key size"
  std::int64_t* value;
  /// Sizes of each head where they differ, all stored with `value`. Null: they cannot.
  std::vector<std::int64_t>* own = nullptr;
  std::int64_t heads = 1;  ///< where there is `own`
};

/// What a kind of block is: a struct of its sizes with these members, listed in blocks.h.
///
///   /// What it computes, in a sentence.
///   struct Example {
///     static constexpr BlockKind kKind{"example"};      // in files, messages, names of tensors
///     static constexpr bool kLooksAtMemory = false;     // stands in decoders that have a memory
///     static constexpr bool kStandsAlone = false;       // can be a model by itself
///     std::int64_t width = 1;                           // with their usual values
///     std::vector<io::Field> fields();                  // bound to it: files, allowed values
///     std::vector<BlockSize> growable();                // bound to it: growth and submodels
///     void check(const std::string& owner) const;       // what fields() cannot say
///     /// Appends its steps, without residual and norm. `part`: the sizes that run.
///     TensorId build(ModelBuilder& m, const Place& place, const Example& part, TensorId x,
///                    const Surroundings& around) const;
///     bool operator==(const Example&) const = default;
///   };
///
/// Its parameters, their axes and thus its growth, its cost and its pictures follow from the steps.

}  // namespace tfm
