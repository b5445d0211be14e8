// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/io/named_tensor.h"
#include "core/model/model_config.h"
#include "core/tensor/aligned_vector.h"

namespace tfm {

/// The parameters of bertConfig()'s model, in the order of parameterLayout(), from tensors under
/// the names of the transformers library: with or without "bert." before them, a norm's as weight
/// and bias or as gamma and beta, of F64, F32, F16 or BF16. A text has one segment here, so the
/// embedding of segment 0 is added to every row of the position table. What stands beside the
/// encoder (pooler, heads) is ignored. Throws Error naming the tensor that is missing, misshapen or
/// not finite, and what was expected, or one inside the encoder that the config does not have.
template <class Real>
AlignedVector<Real> bertParameters(const ModelConfig& config, const io::NamedTensors& tensors,
                                   const std::string& where);

}  // namespace tfm
