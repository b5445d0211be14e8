// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/figure_widget.h"
#include "ui/widgets/side_counts.h"

namespace tfm::ui {

/// The whole numbers first ... last.
struct WholeBin {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

/// A histogram of a whole number, such as a length: the shares of all sides next to each other, so
/// that sides of different sizes can be compared.
class ShareHistogram : public FigureWidget {
  Q_OBJECT

 public:
  explicit ShareHistogram(const Style& style, QWidget* parent = nullptr);

  /// Adjacent bins of equal width; every side must have one count per bin. `unit` is the unit of
  /// the axis: "tokens".
  void setBins(std::vector<WholeBin> bins, std::vector<SideCounts> sides, const QString& unit);

  QSizeF figureSize() const override { return {320, 150}; }
  QSize minimumSizeHint() const override;
  void paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const override;
  DataTable figureData() const override;

 protected:
  int itemCount() const override { return static_cast<int>(bins_.size()); }
  QRectF itemArea(int item, const QRectF& area) const override;
  QString itemText(int item) const override;

 private:
  QRectF plotArea(const QRectF& area) const;
  void paintShareAxis(QPainter& painter, const QRectF& plot, double limit,
                      const Palette& palette) const;
  void paintBinAxis(QPainter& painter, const QRectF& plot, const Palette& palette) const;
  QString binText(std::size_t bin) const;

  std::vector<WholeBin> bins_;
  std::vector<SideCounts> sides_;
  QString unit_;
};

}  // namespace tfm::ui
