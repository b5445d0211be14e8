// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>

#include "ui/heatmap/cell_grid.h"
#include "ui/heatmap/cell_painter.h"
#include "ui/heatmap/color_scale.h"
#include "ui/views/shape/strand_layout.h"

namespace tfm::ui {

/// The widths of every layer on the way of the states through its maps: groups as strands, a
/// shuffle as crossing lines, a mixer as the line that joins them. The items are the strands;
/// between them is what the maps read and write, one row per component and one column per position.
/// Without values there are outlines with their sizes.
class WidthStrands : public CellGrid {
  Q_OBJECT

 public:
  explicit WidthStrands(const Style& style, QWidget* parent = nullptr);

  /// Shows the maps of another stack.
  void setStages(const std::vector<observe::StackStage>& stages);
  /// Tensors by name, positions x components; those that are missing are outlines.
  void setValues(std::map<std::string, std::vector<float>> values);

  const std::vector<StrandChain>& chains() const { return chains_; }
  const StrandLayout& strandLayout() const { return layout_; }
  const std::map<std::string, std::vector<float>>& values() const { return values_; }
  /// The strand of an item in two or three sentences.
  QString strandText(int item) const;

  int itemCount() const override { return int(layout_.strands.size()); }
  QString itemText(int item) const override { return strandText(item); }
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
  const observe::PassedMap& mapOf(const Strand& strand) const {
    return chains_[strand.chain].maps[strand.map];
  }
  StrandLayout layoutIn(const QRectF& area) const;
  void paintStrands(QPainter& painter, const StrandLayout& layout, const Palette& palette,
                    CellDetail detail) const;
  void paintColumn(QPainter& painter, const QRectF& column, const std::string& tensor,
                   std::int64_t width, const ColorTable& colors, const Palette& palette,
                   CellDetail detail) const;
  void paintWords(QPainter& painter, const StrandLayout& layout, const Palette& palette) const;
  void paintChosen(QPainter& painter, const StrandLayout& layout, int item, const QColor& color,
                   const Palette& palette) const;

  std::vector<StrandChain> chains_;
  std::map<std::string, std::vector<float>> values_;
  ColorScale scale_ = ColorScale::signedTo(1.0);
  StrandLayout layout_;
};

}  // namespace tfm::ui
