// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/io/fields.h"
#include "core/model/model_config.h"

namespace tfm {

/// How a family's queries and keys turn.
struct RotaryFields {
  std::int64_t head = 0;       ///< components of a head
  std::int64_t positions = 0;  ///< the longest context
  /// Of the components, if part of them may turn, where the file does not say so.
  std::optional<double> share = {};
};

/// Reads the rotary fields of a config.json: rope_parameters, as version 5 of the transformers
/// library writes them, or as version 4 does: rope_theta, and rope_scaling where the angles are
/// scaled; GPT-NeoX had names of its own. The angles of these types are read: default, linear (Chen
/// et al. 2023), llama3 (Llama 3.1), yarn (Peng et al. 2023), and dynamic, which changes nothing
/// within the context. Throws Error naming another type, or a field that is not read.
void readRotary(io::ObjectReader& reader, const RotaryFields& fields, ModelConfig& config);

/// The same fields of a config, as version 4 of the library reads them and as version 5 does, as a
/// JSON object. Of scaled angles only the types linear and llama3 (with the constants of Llama 3.1)
/// are found again.
std::string rotaryFields(const ModelConfig& config, const RotaryFields& fields);

}  // namespace tfm
