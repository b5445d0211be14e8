// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/pretrained/encoder_config.h"

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/model/pretrained/hidden_act.h"

namespace tfm {

void readNeeded(io::ObjectReader& reader, std::span<const io::Field> fields,
                const std::string& whom) {
  for (const io::Field& field : fields)
    if (reader.child(field.name) == nullptr)
      throw Error("'" + std::string(field.name) + "' is missing", reader.where(),
                  "Use the config.json of " + whom + " with " + io::allowedText(field));
  reader.readFields(fields);
  io::checkFields(fields, reader.where());
}

ModelConfig pretrainedEncoder(io::ObjectReader& reader, std::int64_t vocabulary,
                              std::int64_t positions, std::int64_t hidden,
                              const std::string& usual_activation) {
  ModelConfig c;
  c.architecture = Architecture::Encoder;
  c.output = OutputKind::None;
  c.source_vocabulary = vocabulary;
  c.source_length = positions;
  c.hidden = hidden;
  c.norm_placement = NormPlacement::Post;
  c.embedding_norm = true;
  c.final_norm = false;
  c.activation = activationFrom(reader, usual_activation);
  return c;
}

void validateAt(const ModelConfig& config, const std::string& where) {
  try {
    validate(config);
  } catch (const Error& error) {
    throw Error(error.problem(), where, error.hint());
  }
}

}  // namespace tfm
