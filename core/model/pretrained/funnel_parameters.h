// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/io/named_tensor.h"
#include "core/model/model_config.h"
#include "core/tensor/aligned_vector.h"

namespace tfm {

/// The parameters of funnelConfig()'s model, in the order of parameterLayout(), from tensors with
/// the names of the transformers library, with or without the prefix "funnel.", as F64, F32, F16 or
/// BF16. Tensors outside the encoder and its decoder (heads) are ignored. Throws Error as
/// bertParameters().
template <class Real>
AlignedVector<Real> funnelParameters(const ModelConfig& config, const io::NamedTensors& tensors,
                                     const std::string& where);

}  // namespace tfm
