// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/selection.h"

namespace tfm::ui {

void Selection::choose(const std::optional<ChosenCell>& cell) {
  if (cell == cell_) return;
  cell_ = cell;
  emit changed();
}

}  // namespace tfm::ui
