// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstdint>
#include <vector>

#include "core/program/parameter_layout.h"

namespace tfm::ui {

/// What the matrices of a difference show, and which have cells that the earlier moment lacks:
/// "Step 30 − step 20: ... Sizes differ: encoder layer 1: feed-forward ...".
QString differenceSentence(std::int64_t step, std::int64_t minus_step,
                           const std::vector<ParameterInfo>& unpaired);

}  // namespace tfm::ui
