// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/build_program.h"

#include <algorithm>

#include "core/base/check.h"
#include "core/base/error.h"
#include "core/model/composites/model_builder.h"
#include "core/program/ops/ops.h"

namespace tfm {
namespace {

void checkLength(std::string_view what, std::int64_t length, std::int64_t longest) {
  if (length < 1 || length > longest)
    throw Error("the " + std::string(what) + " has " + std::to_string(length) + " positions",
                "model", "Allowed: 1 to " + std::to_string(longest));
}

/// The encoder's states and pad flags, or those of an external encoder.
Memory buildMemory(ModelBuilder& m, const BatchShape& shape) {
  const ModelConfig& c = m.config;
  Memory memory;
  const bool outside = c.architecture == Architecture::Decoder && c.memory_size > 0;
  if (c.architecture == Architecture::Decoder && !outside) return memory;
  checkLength("source", shape.source_length, c.source_length);
  const Rows rows{shape.sequences, shape.source_length};
  memory.length = rows.length;
  memory.pad = m.program.ids(std::string(names::kSourcePad), rows.sequences * rows.length);
  memory.width = outside ? c.memory_size : c.hidden;
  memory.axis = Dimension{{outside ? Axis::Memory : Axis::Hidden, memory.width}};
  if (outside) {
    if (shape.kept_length == 0)
      memory.states =
          m.program.input(std::string(names::kMemory), rows.sequences * rows.length, c.memory_size);
  } else if (c.architecture == Architecture::Attention) {
    const TensorId x = inputBlock(m, Stack::Encoder, rows);
    const BlockConfig& alone = c.encoder_layers.front().blocks.front();
    m.program.enter({.block = 0, .kind = alone.kind()});
    memory.states =
        block(m, {std::string(alone.kind().name)}, alone,
              m.part.encoder_layers.front().blocks.front(), x, {rows, memory.pad, false, memory});
  } else {
    const StackOutput out = stackBlock(m, Stack::Encoder, rows, memory.pad, {});
    memory.states = out.states;
    memory.pad = out.pad;
    memory.length = out.rows.length;
  }
  return memory;
}

TensorId buildDecoder(ModelBuilder& m, const BatchShape& shape, const Memory& memory) {
  checkLength("target", shape.target_length, m.config.target_length);
  const Rows rows{shape.sequences, shape.target_length};
  if (shape.kept_length > 0)
    m.places = m.program.ids(std::string(names::kTargetPlaces), rows.sequences * rows.length);
  const TensorId pad = m.program.ids(std::string(names::kTargetPad), rows.sequences * rows.length);
  return stackBlock(m, Stack::Decoder, rows, pad, memory).states;
}

/// Of the final norm of the last stack, which is that of an output transform, too.
double lastNormEps(const ModelConfig& c) {
  return c.hasDecoder() ? c.decoder_final_norm_eps : c.encoder_final_norm_eps;
}

/// The output layer, named "output".
TensorId buildOutput(ModelBuilder& m, TensorId states, const Memory& memory) {
  const ModelConfig& c = m.config;
  const Dimension hidden{{Axis::Hidden, c.hidden}};
  const Place place =
      Place{std::string(names::kOutput), std::string(names::kOutput), ParameterPart::Output};
  m.program.enter({});
  if (c.output == OutputKind::None) return states;
  if (c.output == OutputKind::Classes)
    states = ops::meanPool(m.program, "pooled", states, memory.pad, memory.length);
  Dimension read = hidden;
  if (c.output_transform) {
    read = c.tie_output ? embeddingAxis(c) : hidden;
    states = linearMap(m, place.sub(ParameterPart::Transform), states, read, hidden, true);
    states = ops::activation(m.program, place.path + ".transform.activated", states, c.activation);
    states = normMap(m, place.sub(ParameterPart::TransformNorm), states, lastNormEps(c), read);
  }
  const bool vocabulary_out = c.output == OutputKind::Vocabulary;
  const Dimension outputs{vocabulary_out ? AxisSize{Axis::Vocabulary, c.target_vocabulary}
                                         : AxisSize{Axis::Output, c.output_size}};
  if (!c.tie_output) return linearMap(m, place, states, outputs, read, c.output_bias);
  const TensorId table = tokenTable(m, c.hasDecoder() ? Stack::Decoder : Stack::Encoder);
  m.program.enter({});
  if (c.projectsOutput())
    states = linearMap(m, place.sub(ParameterPart{"projection"}), states, embeddingAxis(c), hidden,
                       false);
  const TensorId bias = c.output_bias ? m.program.parameter(place.parameters + ".bias", {outputs},
                                                            {}, place.part, Term::Bias)
                                      : kNoTensor;
  return ops::linear(m.program, place.path, states, table, bias);
}

void buildLoss(ModelBuilder& m, TensorId output, const ProgramOptions& options) {
  const TensorInfo out = m.program.tensor(output);
  const std::string path(names::kLoss);
  if (m.config.output == OutputKind::None || options.numbers) {
    const std::int64_t own = m.program.shape().sequences;
    const std::int64_t all = options.batch_sequences > 0 ? options.batch_sequences : own;
    const TensorId target = m.program.input(std::string(names::kLabelFeatures), out.rows, out.cols);
    // States that have grown are compared with as many numbers as before: the others are 0.
    const std::int64_t cols = m.config.output_size > 0 ? m.config.output_size : out.cols;
    ops::squaredError(m.program, path, output, target,
                      double(own) / (double(all) * double(out.rows * cols)));
    return;
  }
  const TensorId labels = m.program.ids(std::string(names::kLabels), out.rows);
  const TensorId weights = m.program.input(std::string(names::kLabelWeights), out.rows, 1);
  ops::crossEntropy(m.program, path, output, labels, weights);
}

}  // namespace

Program buildProgram(const ModelConfig& config, const BatchShape& shape,
                     const ProgramOptions& options) {
  validate(config);
  if (options.training && !config.changes.empty())
    throw Error("interventions are in force", "training",
                "Remove them first: a model is trained as it is");
  check(shape.kept_length == 0 || (config.architecture == Architecture::Decoder &&
                                   config.changes.empty() && !options.training),
        "a decoder that is neither trained nor changed keeps what it read");
  ProgramBuilder builder(shape, options.training, options.scores, config.changes, options.watched);
  const ModelConfig part = configOf(config, options.submodel);
  ModelBuilder m{config, part, builder};
  const Memory memory = buildMemory(m, shape);
  const TensorId states = config.hasDecoder() ? buildDecoder(m, shape, memory) : memory.states;
  const TensorId output = buildOutput(m, states, memory);
  if (options.loss) buildLoss(m, output, options);
  Program program = builder.finish();
  program.index[std::string(names::kOutput)] = output;
  if (config.architecture == Architecture::Encoder)
    program.index[std::string(names::kOutputPad)] = memory.pad;
  return program;
}

ParameterLayout parameterLayout(const ModelConfig& config) {
  return buildProgram(config, minimalShape(config), {}).parameters;
}

BatchShape minimalShape(const ModelConfig& config) {
  return {1, std::min<std::int64_t>(1, config.source_length),
          std::min<std::int64_t>(1, config.target_length)};
}

BatchShape fullShape(const ModelConfig& config, std::int64_t sequences) {
  return {sequences, config.source_length, config.target_length};
}

}  // namespace tfm
