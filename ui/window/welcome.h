// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <functional>
#include <vector>

#include "ui/style/forward.h"

namespace tfm::ui {

/// A way to begin.
struct Door {
  QString icon, title, sentence, button;
  std::function<void()> open;
};

/// Offers ways to begin, side by side. Choosing one closes it; so does Esc, which chooses none.
class Welcome : public QDialog {
  Q_OBJECT

 public:
  Welcome(const Style& style, const std::vector<Door>& doors, QWidget* parent);
};

}  // namespace tfm::ui
