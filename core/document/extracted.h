// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/document/document.h"
#include "core/model/submodel.h"

namespace tfm::train {

/// A submodel as a separate document. It keeps the history of the whole model, with a note, but
/// not the nesting, scores of granularities or scheduled growths. Throws Error for a submodel that
/// the model does not have.
Document extracted(const Document& whole, const Submodel& submodel);

}  // namespace tfm::train
