// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

#include "core/observe/parameter_norms.h"
#include "ui/widgets/bar_list.h"

namespace tfm::ui {

/// Which length of a ParameterNorm is shown.
enum class NormSide { Gradients, Values };

/// Parameters by the block they are in ("decoder 0 cross"), in their order, each with the
/// Euclidean length of all its numbers together.
std::vector<BarRow> normGroups(std::span<const observe::ParameterNorm> norms, NormSide side);

}  // namespace tfm::ui
