// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <functional>
#include <optional>
#include <vector>

#include "ui/widgets/figure_widget.h"

namespace tfm::ui {

/// One row of a BarList: "0.80×2.10", 1.68.
struct BarRow {
  QString label;
  double value = 0;
  std::vector<double> more{};  ///< values of the other series, drawn below the first bar
  /// Texts of the columns, or of one line for each bar if there are more texts than columns; by
  /// default the value.
  QStringList numbers{};
};

/// Rows of label, bars and numbers: the terms of a product, the shares of a softmax, logits, counts
/// of two sides, the cost of ops. Bars start at a common zero; blue is above it, orange below, the
/// chosen one gold; several in a row have the colours of their series. Rows of the summary (sum,
/// divided by ...) follow a line and have no bar.
class BarList : public FigureWidget {
  Q_OBJECT

 public:
  explicit BarList(const Style& style, QWidget* parent = nullptr);

  void setRows(std::vector<BarRow> rows, std::vector<BarRow> summary = {});
  /// Decimals, 2 by default; nullopt: three significant digits.
  void setDecimals(std::optional<int> decimals);
  std::optional<int> decimals() const { return decimals_; }
  /// Sets a line above the rows, such as a formula; empty for none.
  void setHeading(const QString& heading);
  /// Sets the names of the bars in a row, for the legend; empty if there is only one bar.
  void setSeries(QStringList series);
  /// Sets the titles of the number columns, which may be empty strings; without titles, each number
  /// is a column.
  void setColumns(QStringList titles);
  /// Sets the exported table; by default it has the labels and values of the rows.
  void setData(DataTable data);
  /// The same, made when it is exported.
  void setDataMaker(std::function<DataTable()> make);
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
  int itemCount() const override { return int(rows_.size()); }
  QRectF itemArea(int item, const QRectF& area) const override;
  QString itemText(int item) const override;

 private:
  struct Columns;
  Columns columns(const QRectF& area) const;
  double headHeight() const;
  /// Lines of numbers in each row.
  int lines() const;
  double rowHeight() const;
  QStringList numbersOf(const BarRow& row) const;
  void paintHead(QPainter& painter, const QRectF& area, const Columns& columns,
                 const Palette& palette) const;
  void paintWords(QPainter& painter, const BarRow& row, double y, double height,
                  const Columns& columns, const QColor& label, const QColor& number) const;
  void paintBars(QPainter& painter, const BarRow& row, double y, const Columns& columns,
                 bool chosen, const Palette& palette) const;

  std::vector<BarRow> rows_;
  std::vector<BarRow> summary_;
  QStringList series_, titles_;
  QString heading_;
  std::function<DataTable()> data_;
  int chosen_ = -1;
  std::optional<int> decimals_ = 2;
  std::optional<double> limit_;
};

}  // namespace tfm::ui
