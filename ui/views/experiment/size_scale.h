// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <cstdint>

#include "ui/style/forward.h"

namespace tfm::ui {

/// A logarithmic scale of a model's size, from a hundred parameters to GPT-2 small.
class SizeScale : public QWidget {
  Q_OBJECT

 public:
  explicit SizeScale(const Style& style, QWidget* parent = nullptr);

  void setParameters(std::int64_t parameters);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  const Style& style_;
  std::int64_t parameters_ = 0;
};

}  // namespace tfm::ui
