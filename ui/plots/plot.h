// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <functional>
#include <memory>

#include "ui/figure/figure.h"
#include "ui/figure/forward.h"
#include "ui/plots/forward.h"
#include "ui/plots/plot_look.h"
#include "ui/plots/redraw_timer.h"
#include "ui/style/forward.h"

namespace tfm::ui {

/// A QCustomPlot in the program's colours and fonts, on screen and, as a figure, on paper.
///
/// Derived classes add graphs and items to canvas() and set their look in prepare(). Items on the
/// layer "overlay" are drawn on screen only. Key events go to this widget, mouse events to the
/// canvas.
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
  /// The canvas as the widget that receives mouse events.
  QWidget& pointerArea() const;

 signals:
  /// The plot was redrawn.
  void redrawn();

 protected:
  /// Ranges, margins, pens and fonts for a plot of that size, before QCustomPlot lays it out.
  virtual void prepare(const PlotLook& look, const QSizeF& size) const = 0;
  /// Places what depends on the pixels of the data, after QCustomPlot laid it out.
  virtual void arrange(const PlotLook& look) const;
  /// Adds an item to a layer that is drawn by `paint`, in pixels: for what QCustomPlot has no item.
  void addPainting(const char* layer, std::function<void(QPainter&)> paint);

  /// The look to draw with: the screen's, or the paper's during an export.
  const PlotLook& look() const { return *look_; }
  /// Requests a redraw; requests are coalesced.
  void redraw() { redraw_.request(); }
  /// Redraws only `layer`, which is buffered.
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
