// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/model/pretrained/family.h"

namespace tfm {

/// The encoder described by a Funnel-Transformer's config.json (Dai et al. 2020; fields and
/// defaults of the transformers library): post-norm layers with relative attention in blocks that
/// pool, and unless "architectures" names a class without a decoder (FunnelBaseModel and those
/// built on it) the layers that follow its up-sampling. No dropout; the last hidden states are the
/// output. Pooled padding spreads, as in that library. Sizes are required. Throws Error naming
/// `where`, the field, its value and what is allowed; also for a field that is not known, as it
/// might change what is computed.
ModelConfig funnelConfig(std::string_view json, const std::string& where);

/// Tensors have the names of the transformers library, with or without the prefix "funnel.". Those
/// outside the encoder and its decoder (heads) are not used.
Family funnelFamily();

}  // namespace tfm
