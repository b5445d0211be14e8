// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/model/pretrained/family.h"

namespace tfm {

/// The encoder described by a BERT's config.json (Devlin et al. 2019, section 3; fields of the
/// transformers library): a norm after the embeddings, post-norm layers, learned positions, biases,
/// no dropout, and the last hidden states as output. The sizes are required; layer_norm_eps
/// defaults to 1e-12, hidden_act to "gelu". Fields that do not change what is computed are ignored.
/// Throws Error naming `where`, the field, its value and what is allowed; also for a field that is
/// not known, as it might change what is computed.
ModelConfig bertConfig(std::string_view json, const std::string& where);

/// Tensors have the names of the transformers library: with or without the prefix "bert.", norms
/// with weight and bias or gamma and beta. The head for hidden tokens (cls.predictions) is read if
/// the file has it; other tensors outside the encoder (pooler, other heads) are not used.
Family bertFamily();

/// "distilbert" (Sanh et al. 2019): the same with other names, without segments.
Family distilBertFamily();

/// "roberta" (Liu et al. 2019): BERT, whose positions are counted from pad_token_id + 1 on, so that
/// the table has as many more rows than a text has positions.
Family robertaFamily();

}  // namespace tfm
