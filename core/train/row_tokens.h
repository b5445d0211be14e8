// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/data/framing.h"
#include "core/data/text_codec.h"
#include "core/model/model_config.h"
#include "core/program/parameter_layout.h"

namespace tfm::train {

/// The token that each row of a parameter belongs to, or each number of a vector: of an embedding
/// and of the output layer. Empty for all others, and where the output is not one of tokens.
std::vector<std::string> rowTokens(const ParameterInfo& parameter, const ModelConfig& config,
                                   const data::TextCodec& codec, data::Framing framing);

}  // namespace tfm::train
