// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/model/model_config.h"
#include "core/program/program_builder.h"

namespace tfm {

/// What composites write into: the program and the choices that hold for the whole model. A
/// composite only declares parameters and appends steps; it has no backward of its own. Parameters
/// have the sizes of `config`; steps read the windows of them that `part` needs.
struct ModelBuilder {
  const ModelConfig& config;
  const ModelConfig& part;
  ProgramBuilder& program;

  /// How the weights of linear maps are drawn.
  InitialRule weightRule() const { return {config.initializer, config.initial_deviation}; }
};

/// The hidden axis of what writes into the residual stream: a new component starts as zero there.
inline Dimension writtenHidden(const ModelConfig& config) {
  return {{Axis::Hidden, config.hidden, Added::Zero}};
}

/// Where a composite stands: the names of its activations, and of its parameters where layers share
/// them.
struct Place {
  std::string path;
  std::string parameters = path;
  ParameterPart part = ParameterPart::None;  ///< what its parameters belong to

  Place sub(std::string_view name, ParameterPart of = ParameterPart::None) const {
    return {(path + '.').append(name), (parameters + '.').append(name), of};
  }
  Place sub(ParameterPart of) const { return sub(partName(of), of); }
};
/// The whole of a stack.
inline Place placeOf(Stack stack) { return {std::string(stackName(stack))}; }

/// A sequence stack's positions inside a program.
struct Rows {
  std::int64_t sequences;
  std::int64_t length;
};

/// What a decoder looks at: the encoder's output and which of its positions are padding.
struct Memory {
  TensorId states = kNoTensor;
  TensorId pad = kNoTensor;
  std::int64_t length = 0;
  std::int64_t width = 0;
  Dimension axis{{Axis::Hidden, 1}};
};

/// How much of a linear map runs: its first outputs and inputs. 0: all.
struct MapPart {
  std::int64_t out = 0;
  std::int64_t in = 0;
};

/// y = x W^T + b with parameters place.weight (out, in) and place.bias.
TensorId linearMap(ModelBuilder& m, const Place& place, TensorId x, const Dimension& out,
                   const Dimension& in, bool bias, MapPart part = {});
/// The model's norm with parameters place.weight and, for LayerNorm, place.bias.
TensorId normMap(ModelBuilder& m, const Place& place, TensorId x, double eps);

/// What surrounds a block in its stack.
struct Surroundings {
  Rows rows;
  TensorId pad;
  bool causal;           ///< whether its self-attentions look back only
  const Memory& memory;  ///< what its cross-attentions look at
};

/// A block of a layer: a function f of the states x, without residual and norm. `part`: the sizes
/// that run.
TensorId block(ModelBuilder& m, const Place& place, const BlockConfig& whole,
               const BlockConfig& part, TensorId x, const Surroundings& around);

/// Tokens or features, scaled, with positions and their norm.
TensorId inputBlock(ModelBuilder& m, Stack stack, Rows rows);
/// The layer's blocks in their order, each with its residual and norm, and the layer's gate.
TensorId layerBlock(ModelBuilder& m, const Place& place, const Site& site, const LayerConfig& layer,
                    const LayerConfig& part, TensorId x, const Surroundings& around);
/// What leaves a stack: its states, and the positions and pads that they have by then.
struct StackOutput {
  TensorId states;
  Rows rows;
  TensorId pad;
};
/// Input, layers and final norm of a stack.
StackOutput stackBlock(ModelBuilder& m, Stack stack, Rows rows, TensorId pad, const Memory& memory);

}  // namespace tfm
