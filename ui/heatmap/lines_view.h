// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/heatmap/cell_grid.h"
#include "ui/heatmap/heat_data.h"
#include "ui/heatmap/lines_layout.h"

namespace tfm::ui {

/// The numbers of a HeatMapView as lines between two columns of tokens; a line's opacity is its
/// weight. While a token is shown, only its lines are drawn; with more than kMaxTokens, always
/// only one token's. The items are the tokens that look, then those looked at.
class LinesView : public CellGrid {
  Q_OBJECT

 public:
  static constexpr int kMaxTokens = 64;

  explicit LinesView(const Style& style, QWidget* parent = nullptr) : CellGrid(style, parent) {}

  /// Shows another map; the lock stays if it has the same size.
  void setMap(HeatMap map);
  /// Updates the values of the same map; rows * cols, row-major.
  void setValues(std::span<const float> values);
  const HeatMap& map() const { return map_; }

  std::optional<Token> lockedToken() const { return tokenOf(lockedItem()); }
  /// The locked token, else the hovered one.
  std::optional<Token> shownToken() const { return tokenOf(shownItem()); }
  std::optional<Token> tokenOf(int item) const;
  /// Locks a token, or unlocks with nullopt, without a signal; to follow another panel.
  void showLock(const std::optional<Token>& token);

  int itemCount() const override { return map_.rows + map_.cols; }
  QString itemText(int item) const override;

  QSize sizeHint() const override { return figureSize().toSize(); }
  QSize minimumSizeHint() const override;

  QString figureTitle() const override { return map_.name; }
  QSizeF figureSize() const override { return naturalLinesSize(map_, style()); }
  void paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const override;
  DataTable figureData() const override { return map_.table(); }

 protected:
  QRectF itemArea(int item) const override { return layout_.place(*tokenOf(item)); }
  int itemAt(const QPointF& point) const override { return itemOf(layout_.at(point)); }
  int stepFrom(int item, const Cell& step) const override;
  void layOut() override { layout_ = layOutLines(map_, style(), viewport()->rect()); }
  void paintItems(QPainter& painter) override;
  /// The text is highlighted instead of framed.
  void paintOver(QPainter&) override {}
  void marksChanged() override { repaintItems(); }

 private:
  int itemOf(const std::optional<Token>& token) const;
  bool drawsLines(const LinesMarks& marks) const;
  /// Everything but the lines.
  void paintWords(QPainter& painter, const LinesLayout& layout, const LinesMarks& marks,
                  const Palette& palette) const;

  HeatMap map_;
  LinesLayout layout_;
};

}  // namespace tfm::ui
