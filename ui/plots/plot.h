// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>

#include "ui/figure/figure.h"
#include "ui/plots/plot_look.h"
#include "ui/plots/redraw_timer.h"

class QCPItemRect;
class QCustomPlot;

namespace tfm::ui {

/// A QCustomPlot in the program's colours and fonts, on screen and, as a figure, on paper.
///
/// What derives from it adds graphs and items to canvas() and says how they look in prepare().
/// Items on the layer "overlay" concern the screen alone. The keyboard belongs to this widget, the
/// mouse to the canvas.
class Plot : public QWidget, public Figure {
  Q_OBJECT

 public:
  explicit Plot(Style& style, QWidget* parent = nullptr);
  ~Plot() override;

  /// The title of the exported figure and the accessible name.
  void setTitle(const QString& title);
  QString figureTitle() const override { return title_; }
  void paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const override;
  QSize sizeHint() const override { return figureSize().toSize(); }
  QCustomPlot& canvas() const { return *canvas_; }
  /// The canvas as what hears the mouse.
  QWidget& pointerArea() const;

 signals:
  /// The plot was drawn again.
  void redrawn();

 protected:
  /// Ranges, margins, pens and fonts for a plot of that size, before QCustomPlot lays it out.
  virtual void prepare(const PlotLook& look, const QSizeF& size) const = 0;
  /// Places what depends on the pixels of the data, after QCustomPlot laid it out.
  virtual void arrange(const PlotLook& look) const;

  /// What is drawn with: of the screen, or of the paper meanwhile.
  const PlotLook& look() const { return *look_; }
  /// Asks for a redraw; many requests become one.
  void redraw() { redraw_.request(); }
  /// Draws only what is on `layer` again, which is buffered.
  void redrawLayer(const char* layer) const;
  /// The text of the tooltip at a place; empty for none.
  virtual QString toolTipAt(const QPointF& place) const;

  bool event(QEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

  Style& style_;

 private:
  void prepareFor(const Palette& palette, const QSizeF& size) const;
  void showFocus(bool shown);

  QCustomPlot* canvas_;
  QCPItemRect* focus_;
  RedrawTimer redraw_;
  QString title_;
  mutable std::unique_ptr<const PlotLook> look_;
};

}  // namespace tfm::ui
