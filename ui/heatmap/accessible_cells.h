// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace tfm::ui {

class CellGrid;

/// Lets screen readers see the items of every CellGrid, which calls it in its constructor; once is
/// enough, more do no harm.
void installCellAccessibility();

/// Has the current item spoken, if a screen reader listens.
void announceCurrent(CellGrid& grid);

}  // namespace tfm::ui
