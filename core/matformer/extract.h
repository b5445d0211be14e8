// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model_state.h"
#include "core/model/submodel.h"

namespace tfm::matformer {

/// The submodel as a separate model, which computes the same function. Parameters, moments and
/// missed steps are copied, so that training can continue. Shared layers with different sizes in
/// the submodel are no longer shared. Throws Error for a submodel that the model does not have.
ModelState extract(const ModelState& state, const Submodel& submodel);

}  // namespace tfm::matformer
