// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/data/framing.h"
#include "core/data/text_codec.h"
#include "core/model/model_config.h"
#include "core/model/model_state.h"
#include "core/program/parameter_layout.h"

namespace tfm::train {

/// The token that each row of a parameter belongs to, or each number of a vector: of an embedding
/// and of the output layer. Empty for all others, and where the output is not one of tokens.
std::vector<std::string> rowTokens(const ParameterInfo& parameter, const ModelConfig& config,
                                   const data::TextCodec& codec, data::Framing framing);

/// "output[1, 'u']" with the index of the token for the token: "output[1, 20]". What names no token
/// stays as it is. Throws Error at `where` for what cannot be read, for a tensor whose last index
/// counts no tokens, and for a token that its vocabulary lacks.
std::string withTokenIndices(const std::string& name, const ModelState& state,
                             const data::TextCodec& codec, data::Framing framing,
                             const std::string& where);

}  // namespace tfm::train
