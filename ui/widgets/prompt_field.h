// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPlainTextEdit>

#include "ui/forward.h"

namespace tfm::ui {

/// A field for a text of several lines, as high as the text up to a limit. Return is for what
/// follows the text; Shift+Return begins a new line.
class PromptField : public QPlainTextEdit {
  Q_OBJECT

 public:
  explicit PromptField(const QString& name, int most_lines = 6, QWidget* parent = nullptr);

  QString text() const { return toPlainText(); }
  /// Without textEdited(); keeps the cursor if nothing changes.
  void setText(const QString& text);

 signals:
  void textEdited(const QString& text);
  void returnPressed();

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void updateHeight();

  const int most_lines_;
};

}  // namespace tfm::ui
