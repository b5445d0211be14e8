// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/submodel.h"
#include "core/train/document.h"

namespace tfm::train {

/// A submodel as a document of its own. The history stays that of the whole model, with a note;
/// what was measured of its granularities and growths that were still to come are left out, as is
/// the nesting. Throws Error for a submodel that the model has not.
Document extracted(const Document& whole, const Submodel& submodel);

}  // namespace tfm::train
