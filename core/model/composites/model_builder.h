// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/model/model_config.h"
#include "core/program/program_builder.h"

namespace tfm {

/// The context of composites: the program being built and the config of the whole model. A
/// composite only declares parameters and appends steps; the backward pass follows from the steps.
/// Parameters have the sizes of `config`; steps read the windows of them that `part` needs.
struct ModelBuilder {
  const ModelConfig& config;
  const ModelConfig& part;
  ProgramBuilder& program;
  /// Of a decoder that keeps the keys and values of what it read: which positions its rows are.
  TensorId places = kNoTensor;

  /// The initializer of linear maps' weights.
  InitialRule weightRule() const { return {config.initializer, config.initial_deviation}; }
};

/// The columns of token tables.
inline Dimension embeddingAxis(const ModelConfig& config) {
  if (config.embedding_size > 0) return {{Axis::Embedding, config.embedding_size}};
  return {{Axis::Hidden, config.hidden, Added::Zero}};
}
/// The hidden axis of maps that write into the residual stream: new components start at zero.
inline Dimension writtenHidden(const ModelConfig& config) {
  return {{Axis::Hidden, config.hidden, Added::Zero}};
}

/// Name prefixes of a composite: of its activations and, if layers share parameters, of those.
struct Place {
  std::string path;
  std::string parameters = path;
  ParameterPart part = ParameterPart::None;  ///< the part its parameters belong to

  Place sub(std::string_view name, ParameterPart of = ParameterPart::None) const {
    return {(path + '.').append(name), (parameters + '.').append(name), of};
  }
  Place sub(ParameterPart of) const { return sub(partName(of), of); }
};
/// The place of a stack.
inline Place placeOf(Stack stack) { return {std::string(stackName(stack))}; }

/// The rows of a stack: sequences x length positions.
struct Rows {
  std::int64_t sequences;
  std::int64_t length;
};

/// Positions that a table of them has: all that are kept, or those of the rows.
inline std::int64_t tablePositions(const ModelBuilder& m, const Rows& rows) {
  const std::int64_t kept = m.program.shape().kept_length;
  return kept > 0 ? kept : rows.length;
}

/// What cross-attention attends to: the encoder's output and its pad flags.
struct Memory {
  TensorId states = kNoTensor;
  TensorId pad = kNoTensor;
  std::int64_t length = 0;
  std::int64_t width = 0;
  Dimension axis{{Axis::Hidden, 1}};
};

/// The first outputs and inputs of a linear map that run. 0: all.
struct MapPart {
  std::int64_t out = 0;
  std::int64_t in = 0;
};

/// The parts that run of place.weight (out, in) and place.bias; kNoTensor without bias.
struct MapParameters {
  TensorId weight, bias;
};
MapParameters mapParameters(ModelBuilder& m, const Place& place, const Dimension& out,
                            const Dimension& in, bool bias, MapPart part = {});
/// y = x W^T + b with parameters place.weight (out, in) and place.bias.
TensorId linearMap(ModelBuilder& m, const Place& place, TensorId x, const Dimension& out,
                   const Dimension& in, bool bias, MapPart part = {});
/// The model's norm with parameters place.weight and, for LayerNorm, place.bias. `axis`: of x.
TensorId normMap(ModelBuilder& m, const Place& place, TensorId x, double eps,
                 const Dimension& axis);
/// The norm of states.
inline TensorId normMap(ModelBuilder& m, const Place& place, TensorId x, double eps) {
  return normMap(m, place, x, eps, writtenHidden(m.config));
}

/// The grouped maps of a DExTra unit and how they are connected; see DelightAttention.
struct DextraUnit {
  std::vector<GroupedSizes> maps;
  bool shuffle = true;
  bool mixer = true;
};
/// An input map, the grouped maps and an output map, each with LayerNorm and activation, and
/// parameters place.dextra_input, place.dextra_map1, ..., place.dextra_output.
TensorId dextraUnit(ModelBuilder& m, const Place& place, TensorId x, const Dimension& in,
                    const Dimension& out, const DextraUnit& unit);

/// The inputs of a block besides its states.
struct BlockContext {
  Rows rows;
  TensorId pad;
  bool causal;           ///< whether self-attention is causal
  const Memory& memory;  ///< what cross-attention attends to
  /// What self-attention attends to if its queries alone are pooled; otherwise without states.
  Memory unpooled = {};
  std::int64_t stride = 1;  ///< tokens from one position of the states to the next
};

/// A block of a layer: a function f of the states x, without residual and norm. `part` has the
/// sizes that run.
TensorId block(ModelBuilder& m, const Place& place, const BlockConfig& whole,
               const BlockConfig& part, TensorId x, const BlockContext& around);

/// The token table of a stack, or the one that both share.
TensorId tokenTable(ModelBuilder& m, Stack stack);
/// Token embeddings or features, with positions and the embedding norm.
TensorId inputBlock(ModelBuilder& m, Stack stack, Rows rows);
/// The layer's blocks in order, each with its residual and norm, then the layer's gate. The first
/// block alone may attend to unpooled states.
TensorId layerBlock(ModelBuilder& m, const Place& place, const Site& site, const LayerConfig& layer,
                    const LayerConfig& part, TensorId x, const BlockContext& around);
/// The states after a stack or one of its layers, with their positions and pads.
struct StackOutput {
  TensorId states;
  Rows rows;
  TensorId pad;
  std::int64_t stride = 1;  ///< tokens from one position to the next
};
/// Half as many positions, as the config pools; the same if they are too few.
StackOutput poolBlock(ModelBuilder& m, const Place& place, const StackOutput& x);
/// Every position `factor` times, added to `whole`, the states before the first pooling.
StackOutput upsampleBlock(ModelBuilder& m, const Place& place, const StackOutput& x,
                          const StackOutput& whole, std::int64_t factor);
/// Input, layers and final norm of a stack.
StackOutput stackBlock(ModelBuilder& m, Stack stack, Rows rows, TensorId pad, const Memory& memory);

}  // namespace tfm
