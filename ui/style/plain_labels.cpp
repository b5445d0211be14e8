// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/plain_labels.h"

#include <QLabel>

namespace tfm::ui {

void PlainLabels::polish(QWidget* widget) {
  auto* label = qobject_cast<QLabel*>(widget);
  // Tooltips are labels, too; see ui/figure/tips.h.
  if (label != nullptr && label->textFormat() == Qt::AutoText && !label->inherits("QTipLabel"))
    label->setTextFormat(Qt::PlainText);
  QProxyStyle::polish(widget);
}

}  // namespace tfm::ui
