// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/model/pretrained/family.h"

namespace tfm {

/// The decoder described by a GPT-2's config.json (Radford et al. 2019; fields and defaults of the
/// transformers library): pre-norm layers, learned positions, a norm after the last layer, and an
/// output that is the token table unless tie_word_embeddings is false. No dropout. Sizes are
/// required. Throws Error naming `where`, the field, its value and what is allowed; also for a
/// field that is not known, as it might change what is computed.
ModelConfig gpt2Config(std::string_view json, const std::string& where);

/// Tensors have the names of the transformers library, with or without the prefix "transformer.";
/// its maps are stored (in, out), and those of queries, keys and values side by side. Where scores
/// are not divided by sqrt(key size), or also by the number of the layer
/// (scale_attn_by_inverse_layer_idx), the queries are multiplied instead.
Family gpt2Family();

}  // namespace tfm
