// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/forward_key.h"

#include <QKeyEvent>
#include <QWidget>

namespace tfm::ui {

bool forwardKey(QWidget& widget, QKeyEvent& event) {
  event.accept();
  // Not through the application, which would propagate it to the parents.
  static_cast<QObject&>(widget).event(&event);
  return event.isAccepted();
}

}  // namespace tfm::ui
