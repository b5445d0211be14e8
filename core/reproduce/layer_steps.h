// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

#include "core/model/model_config.h"
#include "core/reproduce/picture.h"

namespace tfm::reproduce {

/// The first encoder layer as a row of a circuit, read from the program that runs: its parts in
/// order, after "x", and a line around those that a residual sum skips.
Series layerSteps(const ModelConfig& config, std::int64_t length, const std::string& name);

}  // namespace tfm::reproduce
