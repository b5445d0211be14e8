// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/delight.h"
#include "ui/heatmap/cell_grid.h"

namespace tfm::ui {

/// The ends of a block-wise scaling.
enum class ScalingEnd { Least, Most, Width };

/// Where the bars of a block-wise scaling stand: depths above, widths below.
struct ScalingLayout {
  struct Bars {
    QRectF area;
    double top = 1.0;          ///< the value at the top of the area; its bottom is 0
    std::vector<QRectF> bars;  ///< one per block

    double valueAt(double y) const { return top * (area.bottom() - y) / area.height(); }
  };
  Bars depths, widths;
  QSizeF size;

  /// Where an end is grabbed.
  QPointF handle(ScalingEnd end) const;
};

/// `unit`: pixels at scale 1; `line`: height of a line of text.
ScalingLayout layOutScaling(const std::vector<DextraScale>& scales, double width, double unit,
                            double line);

/// Depth and width of every block as bars; their ends can be dragged. The items are the blocks.
class ScalingChart : public CellGrid {
  Q_OBJECT

 public:
  explicit ScalingChart(const Style& style, QWidget* parent = nullptr);

  void setScales(std::vector<DextraScale> scales);
  const ScalingLayout& scalingLayout() const { return layout_; }

  int itemCount() const override { return int(scales_.size()); }
  QString itemText(int item) const override;
  QString figureTitle() const override { return tr("Block-wise scaling"); }
  QSizeF figureSize() const override;
  void paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const override;
  DataTable figureData() const override;
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 signals:
  /// The user dragged an end to a value: maps for the depths, hidden sizes for the width.
  void dragged(tfm::ui::ScalingEnd end, double value);

 protected:
  /// Left and right go through the blocks, which stand side by side.
  int columnCount() const override { return itemCount(); }
  QRectF itemArea(int item) const override;
  int itemAt(const QPointF& point) const override;
  void layOut() override;
  void paintItems(QPainter& painter) override;
  std::optional<Qt::CursorShape> handleAt(const QPointF& point) const override;
  void takeHandle(const QPointF& point) override;
  void dragTo(const QPointF& point) override;
  QString tipAt(const QPointF& point) const override;

 private:
  std::optional<ScalingEnd> endAt(const QPointF& point) const;
  ScalingLayout layoutIn(double width) const;
  void paintBars(QPainter& painter, const ScalingLayout& layout, const Palette& palette) const;

  std::vector<DextraScale> scales_;
  ScalingLayout layout_;
  ScalingEnd held_ = ScalingEnd::Least;
};

}  // namespace tfm::ui
