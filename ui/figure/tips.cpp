// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figure/tips.h"

#include <QTextDocument>
#include <QToolTip>

namespace tfm::ui {

QString plainTip(const QString& text) {
  if (!Qt::mightBeRichText(text)) return text;
  return QStringLiteral("<p style='white-space:pre-wrap'>%1</p>").arg(text.toHtmlEscaped());
}

void showTip(const QPoint& place, const QString& text, QWidget* by, const QRect& area,
             int milliseconds) {
  QToolTip::showText(place, plainTip(text), by, area, milliseconds);
}

}  // namespace tfm::ui
