// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/figure/forward.h"

namespace tfm::ui {

/// Makes the items of every picture accessible to screen readers. Called by the constructor of
/// Items; further calls do nothing.
void installItemAccessibility();

/// Announces the current item to a screen reader, if one is active.
void announceCurrent(Items& items);

}  // namespace tfm::ui
