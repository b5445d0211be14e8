// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/model/pretrained/family.h"

namespace tfm {

// Llama (Touvron et al. 2023) and families of the same wiring: pre-norm layers with RMSNorm, rotary
// positions in halves, queries in groups that share keys and values, and SwiGLU. Fields and
// defaults are those of the transformers library; sizes are required. What would compute something
// else is refused by name: windows that are shorter than the context, layers of another type.

/// "llama": also SmolLM2. Biases where attention_bias and mlp_bias say so.
Family llamaFamily();
/// "mistral": a window that is at least as long as the context changes nothing.
Family mistralFamily();
/// "qwen2": queries, keys and values have biases, the outputs of attentions have none.
Family qwen2Family();
/// "qwen3": queries and keys are normed, head by head.
Family qwen3Family();
/// "gemma": gains are stored less 1, embeddings are multiplied by sqrt(hidden_size).
Family gemmaFamily();

}  // namespace tfm
