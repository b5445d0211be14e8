// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/tour/robot.h"

#include <QAction>
#include <QApplication>
#include <QElapsedTimer>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QShortcut>
#include <QTimer>
#include <QWidget>
#include <chrono>

namespace tfm::ui {
namespace {

using namespace std::chrono_literals;
constexpr auto kLook = 5ms;

void sendMouse(QWidget& widget, QEvent::Type type, const QPointF& place, Qt::MouseButton button,
               Qt::MouseButtons buttons) {
  QMouseEvent event(type, place, widget.mapToGlobal(place), button, buttons, Qt::NoModifier);
  QApplication::sendEvent(&widget, &event);
}

}  // namespace

double Robot::click(QWidget& widget, const QPointF& place) {
  QElapsedTimer time;
  time.start();
  hover(widget, place);
  sendMouse(widget, QEvent::MouseButtonPress, place, Qt::LeftButton, Qt::LeftButton);
  sendMouse(widget, QEvent::MouseButtonRelease, place, Qt::LeftButton, Qt::NoButton);
  QApplication::processEvents();
  return double(time.nsecsElapsed()) / 1e6;
}

double Robot::click(QWidget& widget) { return click(widget, QRectF(widget.rect()).center()); }

void Robot::hover(QWidget& widget, const QPointF& place) {
  sendMouse(widget, QEvent::MouseMove, place, Qt::NoButton, Qt::NoButton);
}

bool Robot::shortcut(QWidget& window, const QKeySequence& keys) {
  for (QAction* action : window.findChildren<QAction*>()) {
    if (!action->isEnabled() || !action->shortcuts().contains(keys)) continue;
    action->trigger();
    return true;
  }
  for (QShortcut* shortcut : window.findChildren<QShortcut*>()) {
    if (!shortcut->isEnabled() || shortcut->key() != keys) continue;
    emit shortcut->activated();
    return true;
  }
  return false;
}

void Robot::press(QWidget& widget, Qt::Key key, Qt::KeyboardModifiers modifiers) {
  QKeyEvent down(QEvent::KeyPress, key, modifiers);
  QApplication::sendEvent(&widget, &down);
  QKeyEvent up(QEvent::KeyRelease, key, modifiers);
  QApplication::sendEvent(&widget, &up);
}

bool Robot::waitUntil(const std::function<bool()>& done, double seconds) {
  QElapsedTimer time;
  time.start();
  // Sleeps while waiting: spinning would take a core from what is measured.
  QTimer look;
  look.start(kLook);
  while (!done()) {
    if (double(time.elapsed()) > seconds * 1000.0) return false;
    QApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents);
  }
  return true;
}

void Robot::wait(double seconds) {
  waitUntil([] { return false; }, seconds);
}

}  // namespace tfm::ui
