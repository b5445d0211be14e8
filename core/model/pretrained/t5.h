// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/pretrained/family.h"

namespace tfm {

/// "t5" (Raffel et al. 2020, section 2.1; fields and names of the transformers library): an encoder
/// and a decoder of pre-norm layers with RMS norms and without biases, whose scores are not divided
/// and have a number added for each bucket of distances. The file has one table of these a stack;
/// here each layer has its own, which begin equal. Queries are multiplied by sqrt(d_kv) instead of
/// dividing by it; where the output is scaled by 1 / sqrt(d_model), the last norm is. T5 has no
/// longest text: n_positions, or 512.
Family t5Family();

}  // namespace tfm
