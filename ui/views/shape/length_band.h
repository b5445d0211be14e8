// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

#include "ui/heatmap/axis_labels.h"
#include "ui/heatmap/cell_grid.h"
#include "ui/heatmap/cell_painter.h"
#include "ui/heatmap/color_scale.h"
#include "ui/views/shape/length_band_layout.h"

namespace tfm::ui {

/// The states of a stack as a band: a plate for each layer, a row for each position, a cell for
/// each component. The items are the positions; the shown one highlights those that it was made
/// from and those that it goes into, through poolings and repetitions. Without values there are
/// outlines with their sizes.
class LengthBand : public CellGrid {
  Q_OBJECT

 public:
  explicit LengthBand(const Style& style, QWidget* parent = nullptr);

  /// Shows another stack. `tokens`: labels of the input's positions, or none.
  void setStages(std::vector<observe::StackStage> stages, QStringList tokens);
  /// The states of each stage, positions x width; or none.
  void setValues(std::vector<std::vector<float>> values);

  const std::vector<observe::StackStage>& stages() const { return stages_; }
  const BandItems& items() const { return items_; }
  const std::vector<std::vector<float>>& values() const { return values_; }
  const ColorScale& scale() const { return scale_; }
  /// What a position holds: its token, or "(the, film)"; "position 3" without labels.
  QString labelOf(std::size_t stage, std::int64_t position) const;

  int itemCount() const override { return items_.count(); }
  QString itemText(int item) const override;
  QSizeF figureSize() const override;
  void paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const override;
  DataTable figureData() const override;
  QSize minimumSizeHint() const override { return {style().px(240), style().px(160)}; }

 protected:
  QRectF itemArea(int item) const override;
  int itemAt(const QPointF& point) const override;
  int stepFrom(int item, const Cell& step) const override;
  void layOut() override;
  void paintItems(QPainter& painter) override;
  void paintOver(QPainter& painter) override;

 private:
  LengthBandLayout layoutIn(const QRectF& area) const;
  void paintStages(QPainter& painter, const LengthBandLayout& layout, const Palette& palette,
                   CellDetail detail) const;
  void paintWords(QPainter& painter, const LengthBandLayout& layout, const Palette& palette) const;
  /// What the shown position is made from and goes into, in `color`.
  void paintRelatives(QPainter& painter, const LengthBandLayout& layout, int item,
                      const QColor& color, const Palette& palette) const;
  void paintLabels(QPainter& painter, const LengthBandLayout& layout, const Palette& palette,
                   int item, Emphasis emphasis) const;

  std::vector<observe::StackStage> stages_;
  QStringList tokens_;
  std::vector<std::vector<float>> values_;  ///< empty, or one for each stage
  ColorScale scale_ = ColorScale::signedTo(1.0);
  BandItems items_;
  LengthBandLayout layout_;
};

}  // namespace tfm::ui
