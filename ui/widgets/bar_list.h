// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "ui/widgets/figure_widget.h"

namespace tfm::ui {

/// One row of a BarList: "0.80×2.10", 1.68.
struct BarRow {
  QString label;
  double value = 0;
};

/// Rows of label, bar and number, e.g. the terms of a product, the shares of a softmax, or logits.
/// Bars start at a common zero; blue is positive, orange negative, the chosen one gold. Summary
/// rows (sum, divided by ...) follow a line and have no bar.
class BarList : public FigureWidget {
  Q_OBJECT

 public:
  explicit BarList(const Style& style, QWidget* parent = nullptr);

  void setRows(std::vector<BarRow> rows, std::vector<BarRow> summary = {});
  /// Decimals, 2 by default; nullopt: three significant digits.
  void setDecimals(std::optional<int> decimals);
  std::optional<int> decimals() const { return decimals_; }
  /// A line above the rows, such as the formula they come from; empty for none.
  void setHeading(const QString& heading);
  /// Highlights a row, such as the token drawn; -1 for none.
  void setChosen(int row);
  /// The value of a full bar, e.g. 1 for shares; nullopt: the largest value shown.
  void setLimit(std::optional<double> limit);

  QSizeF figureSize() const override;
  QSize minimumSizeHint() const override;
  void paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const override;
  DataTable figureData() const override;

 protected:
  /// Items are the rows; the summary has none.
  int itemCount() const override { return static_cast<int>(rows_.size()); }
  QRectF itemArea(int item, const QRectF& area) const override;
  QString itemText(int item) const override;

 private:
  struct Columns;
  Columns columns(const QRectF& area) const;
  double headingHeight() const;
  QString numberText(double value) const;

  std::vector<BarRow> rows_;
  std::vector<BarRow> summary_;
  QString heading_;
  int chosen_ = -1;
  std::optional<int> decimals_ = 2;
  std::optional<double> limit_;
};

}  // namespace tfm::ui
