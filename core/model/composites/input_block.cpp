// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/build_program.h"
#include "core/model/composites/model_builder.h"
#include "core/model/sinusoid.h"
#include "core/program/ops/ops.h"

namespace tfm {
namespace {

/// A unit of the official code's depth and width for embeddings.
DextraUnit embeddingUnit(const ModelConfig& c) {
  constexpr std::int64_t kDepth = 4;
  constexpr double kWidth = 2.0;
  const std::int64_t base = c.embeddingBase();
  return {
      dextraMaps(base / 2, base, kWidth * double(c.embedding_size), kDepth, dextraGroups(base))};
}

TensorId tokenStates(ModelBuilder& m, Stack stack, Rows rows) {
  const bool source = stack == Stack::Encoder;
  const std::string name(source ? names::kSourceIds : names::kTargetIds);
  const TensorId ids = m.program.ids(name, rows.sequences * rows.length);
  const Place place = placeOf(stack).sub(ParameterPart::Embedding);
  const TensorId states =
      ops::embedding(m.program, place.path, ids, tokenTable(m, stack), m.config.embedding_scale);
  if (!m.config.hasEmbeddingUnits()) return states;
  return dextraUnit(m, place, states, embeddingAxis(m.config), writtenHidden(m.config),
                    embeddingUnit(m.config));
}

TensorId featureStates(ModelBuilder& m, Stack stack, Rows rows) {
  const std::int64_t given = m.config.featureWidth();
  const TensorId features =
      m.program.input(std::string(names::kSourceFeatures), rows.sequences * rows.length, given);
  if (given == m.config.hidden) return features;
  return ops::padColumns(m.program, placeOf(stack).path + ".features", features, m.config.hidden);
}

/// The columns of positions and of their sum with the embeddings.
Dimension inputAxis(const ModelConfig& c) {
  return c.embedding_map ? embeddingAxis(c) : writtenHidden(c);
}

TensorId positionTable(ModelBuilder& m, Stack stack, Rows rows) {
  if (m.config.positions == Positions::Learned) {
    const std::int64_t longest =
        stack == Stack::Encoder ? m.config.source_length : m.config.target_length;
    const Place place = placeOf(stack).sub(ParameterPart::Positions);
    return m.program.parameter(place.parameters + ".weight",
                               {{{Axis::Position, longest}}, inputAxis(m.config)},
                               {InitialValues::Normal, m.config.position_deviation}, place.part);
  }
  const std::int64_t width = inputAxis(m.config).size();
  const std::int64_t base = m.config.sinusoid_size > 0 ? m.config.sinusoid_size : width;
  const std::int64_t length = tablePositions(m, rows);
  return m.program.constant(
      placeOf(stack).path + ".sinusoid", length, width,
      sinusoid(length, width, base, m.config.sinusoid_repeats, m.config.sinusoid_halves));
}

}  // namespace

TensorId tokenTable(ModelBuilder& m, Stack stack) {
  const bool shared = m.config.share_embeddings;
  const std::int64_t known =
      stack == Stack::Encoder ? m.config.source_vocabulary : m.config.target_vocabulary;
  const ParameterPart part = ParameterPart::Embedding;
  const std::string name = shared ? partName(part) : placeOf(stack).sub(part).parameters;
  m.program.enter({shared ? Stack::None : stack});
  const TensorId table =
      m.program.parameter(name + ".weight", {{{Axis::Vocabulary, known}}, embeddingAxis(m.config)},
                          {InitialValues::Normal, m.config.embedding_deviation}, part);
  m.program.enter({stack});
  return table;
}

TensorId inputBlock(ModelBuilder& m, Stack stack, Rows rows) {
  const Place place = placeOf(stack);
  const bool features = stack == Stack::Encoder && m.config.input == InputKind::Features;
  TensorId states = features ? featureStates(m, stack, rows) : tokenStates(m, stack, rows);
  const Positions positions = m.config.positions;
  if (positions == Positions::Learned || positions == Positions::Sinusoidal) {
    const TensorId table = positionTable(m, stack, rows);
    const std::string sum = place.path + ".positions";
    states = m.places == kNoTensor
                 ? ops::addPositions(m.program, sum, states, table, rows.length)
                 : ops::add(m.program, sum, states,
                            ops::embedding(m.program, place.path + ".rows", m.places, table, 1.0));
  }
  if (m.config.embedding_norm)
    states = normMap(m, place.sub(ParameterPart::EmbeddingNorm), states,
                     m.config.embedding_norm_eps, inputAxis(m.config));
  if (!m.config.embedding_map || features) return states;
  return linearMap(m, place.sub(ParameterPart::EmbeddingMap), states, writtenHidden(m.config),
                   embeddingAxis(m.config), true);
}

}  // namespace tfm
