// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "core/expand/growth.h"

namespace tfm::ui {

class Style;

/// A small drawing of an expansion: old parts are solid blocks, new ones dashed.
class GrowthPictogram : public QWidget {
  Q_OBJECT

 public:
  GrowthPictogram(const Style& style, expand::Kind kind, QWidget* parent = nullptr);
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  const Style& style_;
  const expand::Kind kind_;
};

}  // namespace tfm::ui
