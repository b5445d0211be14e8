// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/io/named_tensor.h"
#include "core/model/model_config.h"
#include "core/tensor/aligned_vector.h"

namespace tfm {

/// The parameters of bertConfig()'s model, in the order of parameterLayout(), from tensors with the
/// names of the transformers library: with or without the prefix "bert.", norms with weight and
/// bias or gamma and beta, as F64, F32, F16 or BF16. Texts have a single segment, so the embedding
/// of segment 0 is added to every row of the position table. Tensors outside the encoder (pooler,
/// heads) are ignored. Throws Error naming a tensor that is missing, not finite or of a wrong
/// shape, and what was expected, or one of the encoder that the config does not have.
template <class Real>
AlignedVector<Real> bertParameters(const ModelConfig& config, const io::NamedTensors& tensors,
                                   const std::string& where);

}  // namespace tfm
