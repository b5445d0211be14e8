// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/heatmap/forward.h"

namespace tfm::ui {

/// Makes the items of every CellGrid accessible to screen readers. Called by its constructor;
/// further calls do nothing.
void installCellAccessibility();

/// Announces the current item to a screen reader, if one is active.
void announceCurrent(CellGrid& grid);

}  // namespace tfm::ui
