// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <cstddef>
#include <optional>
#include <vector>

#include "core/model/model_state.h"
#include "ui/elastic/width_tick.h"
#include "ui/heatmap/cell_grid.h"
#include "ui/heatmap/cell_painter.h"
#include "ui/heatmap/color_scale.h"

namespace tfm::ui {

/// The two matrices of one feed-forward, both transposed so that a column is one unit: what the
/// unit reads from the hidden state, and what it writes back. The first columns of both form a
/// smaller feed-forward.
struct NestedLayer {
  QString name;               ///< "encoder layer 1"
  int units = 0;              ///< columns of both
  int hidden = 0;             ///< rows of both
  std::vector<float> reads;   ///< hidden x units: linear1, transposed
  std::vector<float> writes;  ///< hidden x units: linear2
};

/// The names of the layers with a feed-forward, encoder first.
QStringList layerNames(const ModelConfig& config);

/// Layer `layer` of the model, counted as in Submodel::widths.
NestedLayer nestedLayer(const ModelState& state, std::size_t layer);

/// The layout of the picture of a NestedLayer.
struct NestedFramesLayout {
  double unit = 1.0;  ///< pixels at scale 1
  CellPlaces reads, writes;
  QRectF reads_title, writes_title, legend;
  /// One for each tick; larger ones are further out.
  std::vector<QRectF> frames;
  std::vector<QRectF> labels;  ///< above each frame's right edge; empty where there is no room

  /// The left edge of the units from `width` on.
  double edge(int width) const { return reads.origin.x() + width * reads.cell_width; }
};

/// The real feed-forward matrices of a layer with the granularities as frames inside each other.
/// What is outside the chosen width is faded, and its edge can be dragged. The first `hidden` rows
/// of cells are those of the upper matrix.
class NestedFrames : public CellGrid {
  Q_OBJECT

 public:
  explicit NestedFrames(const Style& style, QWidget* parent = nullptr) : CellGrid(style, parent) {}

  /// Shows new numbers or another layer. The lock stays if its cell still exists.
  void setLayer(NestedLayer layer);
  const NestedLayer& layer() const { return layer_; }
  void setTicks(std::vector<WidthTick> ticks);
  /// The chosen width; what is outside is faded.
  void setWidth(int width);
  int chosenWidth() const { return width_; }

  /// The line at the end of the chosen width that can be dragged.
  QRectF edgeRect() const;
  const NestedFramesLayout& layoutShown() const { return layout_; }

  int itemCount() const override { return 2 * layer_.hidden * layer_.units; }
  /// A cell in words: where it is, what it is, in which granularities.
  QString itemText(int item) const override;

  QSize sizeHint() const override { return figureSize().toSize(); }
  QSize minimumSizeHint() const override { return {style().px(200), style().px(190)}; }
  QString figureTitle() const override;
  QSizeF figureSize() const override { return QSizeF(420, 460) * style().scale(); }
  void paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const override;
  /// Every number with its matrix, unit, hidden component, and whether it is in the chosen part.
  DataTable figureData() const override;

 signals:
  /// The edge is being dragged.
  void widthDragged(int width);

 protected:
  int columnCount() const override { return layer_.units; }
  QRectF itemArea(int item) const override;
  int itemAt(const QPointF& point) const override;
  QString tipAt(const QPointF& point) const override;
  void layOut() override { layout_ = layoutIn(viewport()->rect()); }
  void paintItems(QPainter& painter) override;
  void paintOver(QPainter& painter) override;
  std::optional<Qt::CursorShape> handleAt(const QPointF& point) const override;
  void takeHandle(const QPointF& point) override { grip_ = point.x() - layout_.edge(width_); }
  void dragTo(const QPointF& point) override;

 private:
  float value(int row, int col) const;
  NestedFramesLayout layoutIn(const QRectF& area) const;
  void paintMatrices(QPainter& painter, const NestedFramesLayout& layout, const Palette& palette,
                     CellDetail detail) const;
  /// Fades what lies outside the chosen width; titles, frames and legend.
  void paintAround(QPainter& painter, const NestedFramesLayout& layout,
                   const Palette& palette) const;
  void paintFrames(QPainter& painter, const NestedFramesLayout& layout,
                   const Palette& palette) const;

  NestedLayer layer_;
  std::vector<WidthTick> ticks_;
  int width_ = 0;
  ColorScale scale_;
  NestedFramesLayout layout_;
  double grip_ = 0.0;  ///< distance from pointer to edge during a drag
};

}  // namespace tfm::ui
