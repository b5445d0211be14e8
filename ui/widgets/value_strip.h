// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "ui/widgets/figure_widget.h"

namespace tfm::ui {

/// A vector as one row of coloured cells, orange below zero and blue above, with numbers in the
/// cells if they fit, if need be with fewer digits. The tooltip gives the index, counted from 1,
/// and the value.
class ValueStrip : public FigureWidget {
  Q_OBJECT

 public:
  explicit ValueStrip(const Style& style, QWidget* parent = nullptr);

  void setValues(std::vector<double> values);
  /// The value of the strongest colour; nullopt: the largest absolute value.
  void setLimit(std::optional<double> limit);

  QSizeF figureSize() const override;
  QSize minimumSizeHint() const override;
  void paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const override;
  DataTable figureData() const override;

 protected:
  int itemCount() const override { return int(values_.size()); }
  int columnCount() const override { return itemCount(); }
  QRectF itemArea(int item, const QRectF& area) const override;
  QString itemText(int item) const override;

 private:
  double limit() const;

  std::vector<double> values_;
  std::optional<double> limit_;
};

}  // namespace tfm::ui
