// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/program/program.h"

namespace tfm::observe {

/// How deep in a model a part of it is.
enum class MapLevel : std::uint8_t { Model, Stack, Layer, Block, Step };

inline constexpr std::size_t kNoNode = std::size_t(-1);

/// A part of a model: consecutive steps of its program. What is in a stack outside its layers, such
/// as its input, is a part of level Layer, too.
struct MapNode {
  MapLevel level = MapLevel::Model;
  std::string path;   ///< unique in the map; that of a step is the step's
  std::string title;  ///< unique among the parts of one part: "layer 1", "query"
  Site site;          ///< of its first step
  std::size_t parent = kNoNode;
  std::vector<std::size_t> children;  ///< in execution order
  std::size_t first = 0, end = 0;     ///< its steps: [first, end)
  /// What its steps read of other parts, and what is given before a run, without parameters.
  std::vector<TensorId> reads;
  /// What its steps compute and steps of other parts read, or none do.
  std::vector<TensorId> writes;
  /// The parameters and constants that its steps read.
  std::vector<TensorId> weights;
  /// Its input and output on the residual stream; kNoTensor at the beginning of the stream.
  TensorId in = kNoTensor;
  TensorId out = kNoTensor;
  /// The step that adds what the part computes to `in`; kNoNode where there is none.
  std::size_t joins = kNoNode;
};

/// A model as nested parts, down to the steps of its program, each of which is one leaf. Read from
/// the sites and paths of the steps, so a new kind of block or layer needs no line here.
struct ModelMap {
  std::vector<MapNode> nodes;       ///< [0] is the model; parents before their children
  std::vector<std::size_t> leaves;  ///< the part of each step
  std::vector<std::size_t> makers;  ///< by tensor: the step that computes it; kNoNode: none

  /// The part with that path, or kNoNode.
  std::size_t find(std::string_view path) const;
  /// From the model's own part down to this one.
  std::vector<std::size_t> wayTo(std::size_t node) const;
  bool contains(std::size_t node, std::size_t step) const {
    return step >= nodes[node].first && step < nodes[node].end;
  }
};

ModelMap modelMap(const Program& program);

/// The real outputs of a step in the order in which it computes them: attention scores, their
/// softmax, the mixed values.
std::vector<TensorId> computedBy(const Program& program, const Step& step);

}  // namespace tfm::observe
