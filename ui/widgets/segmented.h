// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>

#include "ui/style/forward.h"

namespace tfm::ui {

/// A segmented control, a row of exclusive buttons: Score | Scaled | Masked | Softmax. A single tab
/// stop; the arrow keys choose.
class Segmented : public QWidget {
  Q_OBJECT

 public:
  /// Selects the first choice. There must be at least one.
  Segmented(const Style& style, const QStringList& choices, QWidget* parent = nullptr);

  /// The selected choice; -1 for none.
  int current() const;
  /// Selects `choice`; emits currentChanged() if it changes.
  void setCurrent(int choice);
  /// Selects none, without a signal: what is shown is none of the choices.
  void clearCurrent();
  void setChoiceText(int choice, const QString& text);
  void setChoiceToolTip(int choice, const QString& text);
  void setChoiceEnabled(int choice, bool enabled);
  void setChoiceVisible(int choice, bool visible);

 signals:
  void currentChanged(int choice);

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  const Style& style_;
  QButtonGroup* group_;
  QHBoxLayout* row_;
};

}  // namespace tfm::ui
