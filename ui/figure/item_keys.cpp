// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figure/item_keys.h"

#include <Qt>
#include <algorithm>

namespace tfm::ui {

std::optional<int> itemAfterKey(int key, int current, int count) {
  const int last = count - 1;
  if (key == Qt::Key_Left || key == Qt::Key_Up) return std::min(std::max(current - 1, 0), last);
  if (key == Qt::Key_Right || key == Qt::Key_Down) return std::min(current + 1, last);
  if (key == Qt::Key_Home) return std::min(0, last);
  if (key == Qt::Key_End) return last;
  return key == Qt::Key_Escape && current >= 0 ? std::optional(-1) : std::nullopt;
}

bool isConfirmKey(int key) {
  return key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Space;
}

}  // namespace tfm::ui
