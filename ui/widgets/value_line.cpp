// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/value_line.h"

#include <QKeyEvent>
#include <utility>

namespace tfm::ui {

ValueLine::ValueLine(std::function<bool(const QString&)> readable, std::function<QString()> shown,
                     QWidget* parent)
    : QLineEdit(parent), readable_(std::move(readable)), shown_(std::move(shown)) {
  connect(this, &QLineEdit::editingFinished, this, &ValueLine::finish);
}

void ValueLine::finish() {
  const QString typed = text();
  if (!isModified()) return;
  setModified(false);
  const bool readable = readable_(typed);
  if (readable) emit done(typed);
  showValue();
  if (!readable) emit refused(typed);
}

void ValueLine::keyPressEvent(QKeyEvent* event) {
  const bool ends = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  if (!ends || !isModified() || readable_(text())) return QLineEdit::keyPressEvent(event);
  finish();
  selectAll();
  event->accept();
}

}  // namespace tfm::ui
