// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>
#include <vector>

#include "core/matformer/nesting.h"
#include "core/model/model_state.h"
#include "core/model/submodel.h"

namespace tfm::ui {

class MatrixWall;

/// The columns and rows of each parameter, as parameterSlabs() has them, that a submodel reads.
std::vector<QSize> readBy(const ModelState& state, const Submodel& submodel);

/// The parameters of which the smallest granularity reads only a part, in the order of the layout;
/// where there is only one granularity, all.
std::vector<std::size_t> nestedParameters(const ModelState& state,
                                          const std::vector<matformer::Granularity>& granularities);

/// Shows the nested matrices in space, each with a frame for every granularity; what the submodel
/// does not read fades.
void showInSpace(MatrixWall& space, const ModelState& state,
                 const std::vector<matformer::Granularity>& granularities,
                 const Submodel& submodel);

/// Lets what the submodel does not read fade in what showInSpace() shows.
void fadeOutside(MatrixWall& space, const ModelState& state,
                 const std::vector<matformer::Granularity>& granularities,
                 const Submodel& submodel);

}  // namespace tfm::ui
