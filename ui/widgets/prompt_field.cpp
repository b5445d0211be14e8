// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/prompt_field.h"

#include <QEvent>
#include <QKeyEvent>
#include <QSignalBlocker>
#include <algorithm>

namespace tfm::ui {

PromptField::PromptField(const QString& name, int most_lines, QWidget* parent)
    : QPlainTextEdit(parent), most_lines_(most_lines) {
  setAccessibleName(name);
  setTabChangesFocus(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);  // the cursor scrolls
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  document()->setDocumentMargin(0);
  connect(this, &QPlainTextEdit::textChanged, this, [this] {
    updateHeight();
    emit textEdited(text());
  });
  updateHeight();
}

void PromptField::setText(const QString& text) {
  if (text == this->text()) return;
  const QSignalBlocker quiet(this);
  setPlainText(text);
  updateHeight();
}

void PromptField::keyPressEvent(QKeyEvent* event) {
  const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  if (enter && !(event->modifiers() & Qt::ShiftModifier)) return emit returnPressed();
  if (!enter) return QPlainTextEdit::keyPressEvent(event);
  // By default, Shift+Return would break the line within a paragraph.
  insertPlainText("\n");
  ensureCursorVisible();
}

void PromptField::resizeEvent(QResizeEvent* event) {
  QPlainTextEdit::resizeEvent(event);
  updateHeight();
}

void PromptField::changeEvent(QEvent* event) {
  QPlainTextEdit::changeEvent(event);
  if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) updateHeight();
}

void PromptField::updateHeight() {
  // The layout of a plain text counts its height in lines.
  const int lines = std::clamp(int(document()->size().height()), 1, most_lines_);
  const QMargins frame = contentsMargins();
  setFixedHeight(lines * fontMetrics().lineSpacing() + frame.top() + frame.bottom());
}

}  // namespace tfm::ui
