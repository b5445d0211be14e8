// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

#include "core/ask/answering.h"

namespace tfm::train {

/// Pads the inputs of one model at their ends to the longest of them, as batches are in training.
/// Each remains a separate input, with the same numbers as in the whole batch.
void padToLongest(std::vector<ProbeInput>& inputs, const data::TextCodec& codec,
                  data::Framing framing);

/// Inputs of equal lengths as one, in their order, with the labels of all.
ProbeInput joined(std::span<const ProbeInput> inputs);

}  // namespace tfm::train
