// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/lesson_locks.h"

#include <QAction>
#include <QApplication>
#include <QKeyEvent>
#include <QWidget>
#include <algorithm>

#include "ui/figure/explanation_pane.h"

namespace tfm::ui {
namespace {

/// "&New run..." is the command "New run".
QString nameOf(const QAction& action) {
  QString name = action.text().section('\t', 0, 0);
  if (name.endsWith(QLatin1String("..."))) name.chop(3);
  return name.remove('&');
}

/// Whether an event would use a widget: going there and reading it is allowed.
bool uses(const QEvent& event) {
  switch (event.type()) {
    case QEvent::MouseButtonPress:
    case QEvent::MouseButtonRelease:
    case QEvent::MouseButtonDblClick:
    case QEvent::Wheel:
    case QEvent::ContextMenu:
    case QEvent::TouchBegin:
    case QEvent::DragEnter:
    case QEvent::Drop:
      return true;
    case QEvent::KeyPress:
    case QEvent::ShortcutOverride: {
      const auto& key = static_cast<const QKeyEvent&>(event);
      const bool moves = key.key() == Qt::Key_Tab || key.key() == Qt::Key_Backtab ||
                         key.key() == Qt::Key_Escape || key.key() == Qt::Key_PageUp ||
                         key.key() == Qt::Key_PageDown ||
                         (key.key() >= Qt::Key_F1 && key.key() <= Qt::Key_F35);
      const bool command = (key.modifiers() & (Qt::ControlModifier | Qt::AltModifier)) != 0;
      return !moves && !command;
    }
    default:
      return false;
  }
}

/// What is worth a message: the beginning of a try.
bool begins(const QEvent& event) {
  return event.type() == QEvent::MouseButtonPress || event.type() == QEvent::KeyPress ||
         event.type() == QEvent::Drop;
}

}  // namespace

LessonLocks::LessonLocks(const Style& style, QWidget& window)
    : QObject(&window), style_(style), window_(window) {}

void LessonLocks::lock(const std::vector<Locked>& parts) {
  if (!locked_.empty()) qApp->removeEventFilter(this);
  crossOut(false);
  locked_.clear();
  for (const Locked& part : parts) locked_.push_back({part.name, part.part});
  if (locked_.empty()) return;
  crossOut(true);
  qApp->installEventFilter(this);
}

QString LessonLocks::why(const QString& name) const {
  if (std::ranges::find(locked_, name, &Part::name) == locked_.end()) return {};
  return tr("The open lesson locks it.");
}

void LessonLocks::crossOut(bool crossed) {
  delete marks_;
  std::vector<ExplainedPart> parts;
  for (const Part& part : locked_) {
    if (part.widget == nullptr) continue;
    part.widget->setAccessibleDescription(crossed ? why(part.name) : QString());
    parts.push_back({part.widget, {}, {}});
  }
  if (crossed && !parts.empty()) {
    marks_ = new PartMarks(style_, window_, parts, PartMarks::Form::Crosses);
    marks_->show();
  }
  for (QAction* action : window_.findChildren<QAction*>()) {
    if (why(nameOf(*action)).isEmpty()) continue;
    QFont font = action->font();
    font.setStrikeOut(crossed);
    action->setFont(font);
  }
}

bool LessonLocks::eventFilter(QObject* watched, QEvent* event) {
  if (!watched->isWidgetType() || !uses(*event)) return false;
  const auto* widget = static_cast<QWidget*>(watched);
  for (const Part& part : locked_) {
    if (part.widget == nullptr || (widget != part.widget && !part.widget->isAncestorOf(widget)))
      continue;
    if (begins(*event)) emit refused(part.name);
    event->accept();
    return true;
  }
  return false;
}

}  // namespace tfm::ui
