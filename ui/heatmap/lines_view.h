// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/figure/figure.h"
#include "ui/heatmap/accessible_cells.h"
#include "ui/heatmap/heat_data.h"
#include "ui/heatmap/hover_lock.h"
#include "ui/heatmap/lines_painter.h"

namespace tfm::ui {

class Style;

/// The same numbers as a HeatMapView, as lines between two columns of tokens; a line's opacity is
/// its weight. Hovering a token previews its lines alone, a click locks it, a second click or Esc
/// frees it. With more than kMostTokens only one token's lines are drawn at a time.
class LinesView : public QWidget, public Figure, public CellSource {
  Q_OBJECT

 public:
  static constexpr int kMostTokens = 64;

  explicit LinesView(const Style& style, QWidget* parent = nullptr);

  /// Shows another map; the lock stays if it has the same size.
  void setMap(HeatMap map);
  /// New values for the same map, rows * cols, row-major.
  void setValues(std::span<const float> values);
  const HeatMap& map() const { return map_; }

  const std::optional<Token>& lockedToken() const { return lock_.locked(); }
  /// The locked token, else the hovered one.
  const std::optional<Token>& shownToken() const { return lock_.shown(); }
  /// Locks a token, or frees with no token, without a signal: for following another panel.
  void showLock(const std::optional<Token>& token);
  /// Where a token stands, in the widget's coordinates.
  QRectF tokenRect(const Token& token) const { return layout_.place(token); }

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

  QString figureTitle() const override { return map_.name; }
  QSizeF figureSize() const override;
  void paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const override;
  DataTable figureData() const override { return map_.table(); }

  QString accessibleTitle() const override { return map_.name; }
  int accessibleCount() const override { return map_.rows + map_.cols; }
  QString accessibleText(int index) const override;
  QRect accessibleArea(int index) const override;
  int accessibleCurrent() const override;
  bool accessibleSelected(int index) const override;

 signals:
  /// Another token is previewed; index -1 when none is. Silent while a token is locked.
  void tokenHovered(const tfm::ui::Token& token);
  void tokenLocked(const tfm::ui::Token& token);
  void tokenFreed();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void layOut();
  void hover(const std::optional<Token>& token);
  void click(const Token& token);
  bool freeLock();
  Token tokenOf(int index) const;
  bool drawsLines(const LinesMarks& marks) const;
  /// Everything but the lines.
  void paintWords(QPainter& painter, const LinesLayout& layout, const LinesMarks& marks,
                  const Palette& palette) const;

  const Style& style_;
  HeatMap map_;
  LinesLayout layout_;
  QImage buffer_;
  HoverLock<Token> lock_;
};

}  // namespace tfm::ui
