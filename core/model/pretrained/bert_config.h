// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/model/model_config.h"

namespace tfm {

/// The encoder that the config.json of a BERT describes (Devlin et al. 2019, section 3; fields as
/// the transformers library writes them): a norm after the embeddings, post-norm layers, learned
/// positions, biases everywhere, no dropout as it is only run, and its last hidden states as the
/// answer. The sizes must be there; layer_norm_eps is usually 1e-12, hidden_act "gelu". Fields that
/// do not change what is computed are ignored, "model_type" among them: not every BERT has it.
/// Throws Error naming `where`, the field, its value and what is allowed.
ModelConfig bertConfig(std::string_view json, const std::string& where);

}  // namespace tfm
