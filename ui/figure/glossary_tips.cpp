// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figure/glossary_tips.h"

#include <QAbstractButton>
#include <QApplication>
#include <QComboBox>
#include <QHelpEvent>
#include <QLabel>
#include <QToolTip>

#include "ui/figure/glossary.h"

namespace tfm::ui {

GlossaryTips::GlossaryTips(QObject* parent) : QObject(parent) { qApp->installEventFilter(this); }

bool GlossaryTips::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::ToolTip || !watched->isWidgetType()) return false;
  auto* widget = static_cast<QWidget*>(watched);
  QString text;
  if (const auto* label = qobject_cast<QLabel*>(widget))
    text = label->text();
  else if (const auto* button = qobject_cast<QAbstractButton*>(widget))
    text = button->text();
  else if (qobject_cast<QComboBox*>(widget) == nullptr)
    return false;
  const QString tip = tipWithTerms(text, widget->toolTip());
  if (tip.isEmpty()) return false;
  QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), tip, widget, {},
                     widget->toolTipDuration());
  return true;
}

}  // namespace tfm::ui
