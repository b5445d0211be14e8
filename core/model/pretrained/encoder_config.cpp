// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/pretrained/encoder_config.h"

#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.h"

namespace tfm {
namespace {

Activation activationFrom(io::ObjectReader& reader, const std::string& usual) {
  static constexpr std::array kNames{
      std::pair{"gelu", Activation::Gelu}, std::pair{"gelu_new", Activation::GeluTanh},
      std::pair{"gelu_pytorch_tanh", Activation::GeluTanh}, std::pair{"relu", Activation::Relu}};
  const auto name = reader.get<std::string>("hidden_act", usual);
  for (const auto& [known, activation] : kNames)
    if (name == known) return activation;
  reader.throwInvalid("hidden_act", "gelu, gelu_new, gelu_pytorch_tanh or relu");
}

}  // namespace

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
