// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QKeySequence>
#include <QPointF>
#include <Qt>
#include <functional>

class QWidget;

namespace tfm::ui {

/// A hand on mouse and keyboard made of events, and the patience to wait for what they do.
class Robot {
 public:
  /// Presses and releases the left button at a place of the widget, and handles what follows.
  /// Returns the milliseconds that took, the repaint included.
  static double click(QWidget& widget, const QPointF& place);
  static void hover(QWidget& widget, const QPointF& place);
  /// Does what a shortcut of the window does; false if no enabled action has it.
  static bool shortcut(QWidget& window, const QKeySequence& keys);
  static void press(QWidget& widget, Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier);
  /// Handles events until `done` or the time is over; returns whether it was done.
  static bool waitUntil(const std::function<bool()>& done, double seconds);
  static void wait(double seconds);
};

}  // namespace tfm::ui
