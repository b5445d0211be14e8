// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

#include "core/observe/parameter_norms.h"
#include "ui/widgets/bar_list.h"

namespace tfm::ui {

/// Which norm of a ParameterNorm is shown.
enum class NormSide { Gradients, Values };

/// Groups parameters by block ("decoder 0 cross"), in order, each with the Euclidean norm of all
/// its numbers.
std::vector<BarRow> normGroups(std::span<const observe::ParameterNorm> norms, NormSide side);

}  // namespace tfm::ui
