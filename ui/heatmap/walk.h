// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qnamespace.h>
#include <optional>

#include "ui/heatmap/cell_grid.h"

namespace tfm::ui {

/// The step that an arrow key takes, in rows and columns; none for other keys.
inline std::optional<Cell> stepFor(int key) {
  switch (key) {
    case Qt::Key_Up:
      return Cell{-1, 0};
    case Qt::Key_Down:
      return Cell{1, 0};
    case Qt::Key_Left:
      return Cell{0, -1};
    case Qt::Key_Right:
      return Cell{0, 1};
    default:
      return std::nullopt;
  }
}

inline bool isLockKey(int key) { return key == Qt::Key_Return || key == Qt::Key_Enter; }

}  // namespace tfm::ui
