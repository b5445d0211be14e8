// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "core/model/model_state.h"
#include "core/program/parameter_layout.h"
#include "ui/scene/matrix_slab.h"

namespace tfm::ui {

class MatrixWall;

/// Parameters of a model, in layout order, as slabs of zeros with their full names and
/// planPlaces(). Biases are columns beside their matrix; gain and shift of a norm are side by
/// side.
std::vector<MatrixSlab> parameterSlabs(std::span<const ParameterInfo> parameters);
/// The same with grouped maps as blocks on the diagonal of the full matrix. Not for a growth.
std::vector<MatrixSlab> parameterSlabsInBlocks(const ParameterLayout& layout);

/// Shows the values of a parameter on a slab, given by their indices in wall and layout.
void setParameter(MatrixWall& wall, int slab, const std::shared_ptr<const ModelState>& state,
                  std::size_t parameter);
/// Shows the parameters on a wall whose slabs are parameterSlabs() of this model.
void setParameters(MatrixWall& wall, const std::shared_ptr<const ModelState>& state);
/// Sets which slabs of a wall have cells without a counterpart in a difference.
void setUnpaired(MatrixWall& wall, const ParameterLayout& layout,
                 const std::vector<ParameterInfo>& unpaired);

}  // namespace tfm::ui
