// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

#include "ui/style/forward.h"

namespace tfm::ui {

/// A gold chip for something pinned: "pinned: step 400" with a button to unpin.
class PinChip : public QFrame {
  Q_OBJECT

 public:
  PinChip(const Style& style, const QString& text, QWidget* parent = nullptr);

  void setText(const QString& text);
  /// Reserves the width of this text, so that nothing beside it moves.
  void reserveWidthFor(const QString& text);

 signals:
  /// The close button was pressed, or Delete while the chip has the focus. The chip does not hide
  /// itself.
  void closed();

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void updateSizes();

  const Style& style_;
  QString widest_;
  QLabel* pin_;
  QLabel* text_;
  QToolButton* close_;
  QHBoxLayout* row_;
};

}  // namespace tfm::ui
