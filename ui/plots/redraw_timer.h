// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QTimer>
#include <functional>

#include "ui/forward.h"

namespace tfm::ui {

/// Limits redraws to 15 per second, and to none while the widget is hidden; call request() when it
/// is shown.
class RedrawTimer {
 public:
  /// `redraw` runs in the GUI thread. `widget` must outlive this.
  RedrawTimer(const QWidget& widget, std::function<void()> redraw);

  void request();

 private:
  void fire();

  const QWidget& widget_;
  std::function<void()> redraw_;
  QTimer timer_;
  QElapsedTimer since_last_;
};

}  // namespace tfm::ui
