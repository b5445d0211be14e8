// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model_state.h"
#include "core/model/submodel.h"

namespace tfm::matformer {

/// The submodel as a model of its own: it computes the same, and can be trained on, as parameters,
/// moments and missed steps are copied. Shared layers of which it takes different parts are no
/// longer shared. Throws Error for a submodel that the model has not.
ModelState extract(const ModelState& state, const Submodel& submodel);

}  // namespace tfm::matformer
