// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ask/observer.h"

namespace tfm::train {

/// `a` minus `b`: parameters, observed tensors and norms with the same name. For parameters that
/// have grown, common entries are subtracted head by head; entries only in `a` are NaN. Observed
/// tensors of different shape are left out. Tensors without a complete counterpart are listed in
/// `unmatched`. Everything else is that of `a`.
Snapshot difference(const Snapshot& a, const Snapshot& b);

}  // namespace tfm::train
