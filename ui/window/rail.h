// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QToolButton>

#include "ui/style/forward.h"

namespace tfm::ui {

/// The edge of the left panel: a button as high as the window, with the panel's name along it, that
/// unfolds the panel and folds it again.
class Rail : public QToolButton {
  Q_OBJECT

 public:
  explicit Rail(const Style& style, QWidget* parent = nullptr);

  void setPanel(const QString& name, bool shown);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 signals:
  void asked(bool shown);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  const Style& style_;
  bool shown_ = false;
};

}  // namespace tfm::ui
