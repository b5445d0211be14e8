// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/model/batch.h"
#include "core/reproduce/claim.h"

namespace tfm::reproduce {

// The encoder-layer notebook's random numbers as PyTorch draws them on a CPU. The notebook has them
// from the generator of another device.

/// The parameters of the preset encoder-layer-notebook, as nn.TransformerEncoderLayer draws them
/// after torch.manual_seed(seed).
Numbers torchParameters(std::uint32_t seed);

/// torch.randn(2, 3, 4) after torch.manual_seed(seed).
Batch torchInput(std::uint32_t seed);

}  // namespace tfm::reproduce
