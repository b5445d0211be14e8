// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/model/batch.h"
#include "core/model/model_config.h"
#include "core/program/program.h"

namespace tfm::observe {

/// A question of the kind "what if this were different?" about a part of a model. Written as
/// text, all indices counted from 0 as in names of tensors:
///
///     decoder.layers.0.self_attention.head.3=0        a head: its mixed values before the output
///     encoder.layers.1.feed_forward.neuron.5=mean     a unit of the hidden activation
///     encoder.layers.1.feed_forward.neuron.0-7=0      several
///     decoder.layers.0.feed_forward=0                 a block: what it adds to the residual stream
///     decoder.layers.0=0                              a layer: all of its blocks
///     encoder.embedding[2, .]=0                       a token: all columns of position 2
///     decoder.layers.0.self_attention.probabilities[1, 2, 0]=0.5   head, query, key
///     encoder.positions[2, 3]*2                       any number of any tensor
///     encoder.layers.0=from "other text"              all blocks as they are on another text
///     decoder.layers.0.feed_forward.linear1.weight[3, 4]=0.1       a weight
///
/// Setting an attention cell leaves the others of its row unchanged: the row need not sum to 1.
struct Intervention {
  enum class Kind {
    Set,    ///< to `number`; 0 switches off
    Scale,  ///< times `number`
    /// The mean of each column over all positions, without padding, of held-out examples: mean
    /// ablation (Wang et al. 2022), which leaves what is the same for all texts.
    Mean,
    /// The numbers of another text at the same positions (activation patching, Meng et al. 2022).
    /// Positions that one of the texts lacks are unchanged.
    Patch,
  };

  std::string target;
  Kind kind = Kind::Set;
  double number = 0.0;  ///< of Set and Scale
  std::string text;     ///< of Patch
  bool operator==(const Intervention&) const = default;
};

/// Reads the form above. Throws Error saying what is wrong; does not know any model.
Intervention interventionFromText(const std::string& text);
/// The reverse.
std::string textOf(const Intervention& intervention);

/// A part of a tensor or of a parameter; -1: all, and see TensorChange.
struct ChangedPart {
  std::string tensor;  ///< or parameter
  bool parameter = false;
  std::int64_t head = -1;
  std::int64_t row = -1;
  std::int64_t col = 0;
  std::int64_t cols = -1;
  bool map = false;  ///< of an attention, with heads
  bool operator==(const ChangedPart&) const = default;
};

/// What a target stands for: one part, or for a layer one for each block. `shape` bounds positions:
/// fullShape() for any text, that of a batch for one text. Throws Error for a target that the model
/// does not have (with names like it), for indices outside it (with its sizes), and for parameters
/// of a layer that uses those of another (naming that one).
std::vector<ChangedPart> changedParts(const ModelConfig& config, const BatchShape& shape,
                                      const std::string& target);

/// The target that is the block whose output a step adds to the residual stream; empty for others.
std::string blockTarget(const Step& step);
/// What the number of a unit of a step follows in a target: "BLOCK.head." of an attention,
/// "BLOCK.neuron." of a hidden activation; empty for others.
std::string unitPrefix(const Step& step);

/// A part of a model that can be switched off as a whole.
struct Unit {
  std::string target;  ///< of an intervention
  Stack stack = Stack::None;
  std::int64_t layer = 0;
  std::string block;        ///< "self_attention"; empty: the layer
  std::int64_t number = 0;  ///< of the head or the group of neurons in its block
};
enum class UnitKind { Heads, Neurons, Layers };

/// All units of a kind, in execution order. `group`: neurons in a unit.
std::vector<Unit> unitsOf(const ModelConfig& config, UnitKind kind, std::int64_t group = 1);

}  // namespace tfm::observe
