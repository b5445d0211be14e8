// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QKeySequence>
#include <QPointF>
#include <Qt>
#include <functional>

#include "ui/forward.h"

namespace tfm::ui {

/// Simulates mouse and keyboard with events, and waits for their effect.
class Robot {
 public:
  /// Clicks at a place of the widget and processes the events that follow. Returns the milliseconds
  /// until repainted.
  static double click(QWidget& widget, const QPointF& place);
  /// The same in its middle.
  static double click(QWidget& widget);
  static void hover(QWidget& widget, const QPointF& place);
  /// Triggers a shortcut of the window; false if no enabled action has it.
  static bool shortcut(QWidget& window, const QKeySequence& keys);
  static void press(QWidget& widget, Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier);
  /// Processes events until `done` or a timeout; returns whether it was done.
  static bool waitUntil(const std::function<bool()>& done, double seconds);
  static void wait(double seconds);
};

}  // namespace tfm::ui
