// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>
#include <memory>
#include <vector>

#include "core/matformer/nesting.h"
#include "core/model/model_state.h"
#include "core/model/submodel.h"
#include "ui/scene/forward.h"

namespace tfm::ui {

/// The columns and rows of each parameter, as in parameterSlabs(), that a submodel reads.
std::vector<QSize> readBy(const ModelState& state, const Submodel& submodel);

/// The parameters of which the smallest granularity reads only a part, in layout order; all if
/// there is only one granularity.
std::vector<std::size_t> nestedParameters(const ModelState& state,
                                          const std::vector<matformer::Granularity>& granularities);

/// Shows the nested matrices in 3-D, each with a frame for every granularity; what the submodel
/// does not read is faded.
void showInSpace(MatrixWall& space, const std::shared_ptr<const ModelState>& shown,
                 const std::vector<matformer::Granularity>& granularities,
                 const Submodel& submodel);

/// Updates the fading in showInSpace() for another submodel.
void fadeOutside(MatrixWall& space, const ModelState& state,
                 const std::vector<matformer::Granularity>& granularities,
                 const Submodel& submodel);

}  // namespace tfm::ui
