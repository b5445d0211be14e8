// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/typing_guard.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QKeyEvent>
#include <QWidget>

namespace tfm::ui {
namespace {

constexpr std::int64_t kPause = 1500;  // milliseconds, for slow typists

bool hasCommandModifier(const QKeyEvent& key) {
  return (key.modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)) != 0;
}

bool endsRun(const QKeyEvent& key) {
  switch (key.key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Escape:
    case Qt::Key_Tab:
    case Qt::Key_Backtab:
      return true;
    default:
      return hasCommandModifier(key);
  }
}

bool isPrintable(const QKeyEvent& key) {
  return !hasCommandModifier(key) && !key.text().isEmpty() && key.text().front().isPrint();
}

bool takesText(const QWidget* widget) {
  return widget != nullptr && widget->testAttribute(Qt::WA_InputMethodEnabled);
}

}  // namespace

TypingGuard::TypingGuard(QWidget& window) : QObject(&window), window_(window) {
  QElapsedTimer since_start;
  since_start.start();
  clock_ = [since_start] { return since_start.elapsed(); };
  qApp->installEventFilter(this);
}

bool TypingGuard::isText() const { return text_ && clock_() - last_ <= kPause; }

void TypingGuard::typed() {
  text_ = true;
  last_ = clock_();
}

void TypingGuard::wasUnused(const QKeyEvent& key) {
  if (isPrintable(key)) typed();
}

bool TypingGuard::eventFilter(QObject* watched, QEvent* event) {
  const QEvent::Type type = event->type();
  if (type == QEvent::MouseButtonPress) text_ = false;
  if (type != QEvent::ShortcutOverride && type != QEvent::KeyPress) return false;
  const auto* widget = qobject_cast<QWidget*>(watched);
  if (widget == nullptr || widget->window() != &window_) return false;
  auto& key = *static_cast<QKeyEvent*>(event);
  if (endsRun(key)) {
    if (type == QEvent::KeyPress) text_ = false;
    return false;
  }
  if (takesText(widget)) {
    if (type == QEvent::KeyPress && !key.text().isEmpty()) typed();
    return false;
  }
  if (!isPrintable(key) || !isText()) return false;
  // The first keeps the key from being a shortcut, the second from the focus widget.
  typed();
  event->accept();
  return true;
}

}  // namespace tfm::ui
