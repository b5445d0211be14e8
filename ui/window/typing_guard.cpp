// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/typing_guard.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QKeyEvent>
#include <QWidget>
#include <utility>

namespace tfm::ui {
namespace {

// In milliseconds.
constexpr std::int64_t kPause = 1500;    // for slow typists
constexpr std::int64_t kTogether = 400;  // two letters of one word, but not two commands

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
      return hasCommandModifier(key) || (key.key() >= Qt::Key_F1 && key.key() <= Qt::Key_F35);
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

bool TypingGuard::isText(const QKeyEvent& key) const {
  if (in_field_ || (text_ && clock_() - last_ <= kPause)) return true;
  const QChar c = key.text().front();
  return (c.isLetter() || c.isSpace()) && !word_.isNull() && c != word_ &&
         clock_() - word_at_ <= kTogether;
}

void TypingGuard::typed() {
  text_ = true;
  last_ = clock_();
}

void TypingGuard::endText() {
  in_field_ = text_ = false;
  word_ = {};
}

void TypingGuard::wasUnused(const QKeyEvent& key) {
  if (isPrintable(key)) typed();
}

bool TypingGuard::eventFilter(QObject* watched, QEvent* event) {
  const QEvent::Type type = event->type();
  if (type == QEvent::MouseButtonPress) endText();
  if (type != QEvent::ShortcutOverride && type != QEvent::KeyPress && type != QEvent::FocusIn)
    return false;
  const auto* widget = qobject_cast<QWidget*>(watched);
  if (widget == nullptr || widget->window() != &window_) return false;
  if (type == QEvent::FocusIn) {
    const Qt::FocusReason reason = static_cast<const QFocusEvent*>(event)->reason();
    const bool chosen = reason == Qt::MouseFocusReason || reason == Qt::TabFocusReason ||
                        reason == Qt::BacktabFocusReason || reason == Qt::ShortcutFocusReason;
    if (chosen && takesText(widget)) in_field_ = true;
    return false;
  }
  auto& key = *static_cast<QKeyEvent*>(event);
  if (endsRun(key)) {
    if (type == QEvent::KeyPress) endText();
    return false;
  }
  if (takesText(widget)) {
    if (type == QEvent::KeyPress && !key.text().isEmpty()) in_field_ = true;
    return false;
  }
  if (!isPrintable(key)) return false;
  if (!isText(key)) {
    const QChar c = key.text().front();
    word_ = c.isLetterOrNumber() ? c : QChar();
    word_at_ = clock_();
    told_ = false;
    return false;
  }
  if (!std::exchange(told_, true)) emit ignoring();
  // The first keeps the key from being a shortcut, the second from the focus widget.
  typed();
  event->accept();
  return true;
}

}  // namespace tfm::ui
