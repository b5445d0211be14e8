// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/selection.h"

namespace tfm::ui {

void Selection::choose(const Choice& choice) {
  if (choice == choice_) return;
  choice_ = choice;
  emit changed();
}

}  // namespace tfm::ui
