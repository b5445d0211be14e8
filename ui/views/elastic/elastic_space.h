// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>
#include <vector>

#include "core/model/model_state.h"
#include "core/model/submodel.h"

namespace tfm::ui {

class MatrixWall;

/// The columns and rows of each parameter, as parameterSlabs() has them, that a submodel reads.
std::vector<QSize> readBy(const ModelState& state, const Submodel& submodel);

/// Shows all parameters in space; what the submodel does not read fades.
void showInSpace(MatrixWall& space, const ModelState& state, const Submodel& submodel);

}  // namespace tfm::ui
