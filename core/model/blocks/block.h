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
struct BlockContext;

/// A size of a block that expansions can grow. The axis says which expansion; along FeedForward and
/// Head, submodels use a part of it.
struct BlockSize {
  Axis axis;
  std::string_view words;  ///< in messages, e.g. "key size"
  std::int64_t* value;
  std::vector<std::int64_t>* own = nullptr;  ///< the size of each head, if they may differ
  std::int64_t heads = 1;                    ///< only with `own`
};

/// A kind of block is a struct with these members and a row in the table in blocks.h:
///
///   struct Example {
///     static constexpr BlockKind kKind{"example"};     // its name in files and tensor names
///     static constexpr bool kAttendsToMemory = false;  // needs a decoder that has a memory
///     static constexpr bool kStandsAlone = false;      // can be Architecture::Attention
///     std::int64_t width = 1;                          // its sizes, with defaults
///     std::vector<io::Field> fields();                 // bound to it: JSON, allowed values
///     std::vector<BlockSize> growable();               // bound to it: growth, submodels
///     // What fields() cannot: throws Error. `hidden`: the width of the states.
///     void check(const std::string& owner, std::int64_t hidden) const;
///     // Appends its steps, without residual and norm. `part` has the sizes that run.
///     TensorId build(ModelBuilder& m, const Place& place, const Example& part, TensorId x,
///                    const BlockContext& around) const;
///     bool operator==(const Example&) const = default;
///   };
///
/// If its sizes follow from the hidden size, its member std::int64_t base_size is the one they
/// follow from (0: the model's), so that they stay when the hidden size grows.
///
/// How its parameters grow and its cost follow from its steps: the axes of the parameters and the
/// flops of the ops.

}  // namespace tfm
