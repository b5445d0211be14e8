// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

#include "core/model/model_config.h"
#include "core/model/model_state.h"
#include "core/program/parameter_layout.h"
#include "ui/scene/matrix_slab.h"

namespace tfm::ui {

class MatrixWall;

/// The parameters of a model as slabs of zeros, in the order of the layout and under their full
/// names; captions count layers from 1. Biases stand as columns beside their matrix, gain and shift
/// of a norm beside each other.
std::vector<MatrixSlab> parameterSlabs(const ModelConfig& model, const ParameterLayout& layout);

/// Lets a slab of a wall show the values of a parameter, by their places in wall and layout.
void setParameter(MatrixWall& wall, int slab, const ModelState& state, std::size_t parameter);
/// Lets the slabs of a wall, which are parameterSlabs() of this model, show the parameters' values.
void setParameters(MatrixWall& wall, const ModelState& state);
/// Tells the slabs of a wall which of them have cells without a partner in a difference.
void setUnpaired(MatrixWall& wall, const ParameterLayout& layout,
                 const std::vector<ParameterInfo>& unpaired);

}  // namespace tfm::ui
