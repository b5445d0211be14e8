// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPixmap>
#include <QWidget>
#include <optional>
#include <vector>

#include "ui/figure/figure.h"
#include "ui/plots/line_series.h"
#include "ui/plots/plot_flag.h"
#include "ui/plots/plot_frame.h"
#include "ui/plots/redraw_timer.h"

namespace tfm::ui {

struct PlotLook;
class Style;

/// The loss over all steps in 60 pixels of height, with a line at the step that is shown.
///
/// Hovering names a step or what its flag is about, clicking or dragging chooses one. With the
/// keyboard, Left and Right move by one recorded step, or kept moment where there are any, Page Up
/// and Page Down by a tenth of all, Home and End to the ends; L switches between linear and
/// logarithmic.
class LossStrip : public QWidget, public Figure {
  Q_OBJECT

 public:
  explicit LossStrip(Style& style, QWidget* parent = nullptr);

  /// Adds a value; see LineSeries::append() for steps that go back.
  void append(double step, double loss);
  void clearPoints();
  /// The step that the rest of the window shows; none: the newest.
  void setCurrentStep(std::optional<double> step);
  /// A step that is pinned for comparison.
  void setPinnedStep(std::optional<double> step);
  /// Steps that are pinned, with the names of their pins.
  void setPins(std::vector<PlotFlag> pins);
  /// Steps that can be gone back to: small ticks.
  void setMoments(std::vector<double> steps);
  void setFlags(std::vector<PlotFlag> flags);
  void setLogarithmic(bool logarithmic);
  bool logarithmic() const { return logarithmic_; }

  QString figureTitle() const override { return tr("Loss over all steps"); }
  QSizeF figureSize() const override;
  void paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const override;
  DataTable figureData() const override;
  QSize sizeHint() const override { return figureSize().toSize(); }
  QSize minimumSizeHint() const override;

 signals:
  void stepHovered(double step);
  void hoverEnded();
  /// The user chose a recorded step.
  void stepClicked(double step);
  /// The user asks for the kept moment so many before or after the current step.
  void momentStepped(int by);
  void logarithmicChanged(bool logarithmic);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  void redraw();
  PlotFrame paintCurve(QPainter& painter, const QRectF& area, const PlotLook& look) const;
  void paintMarkers(QPainter& painter, const PlotFrame& frame, const PlotLook& look) const;
  void paintCurrent(QPainter& painter, const PlotFrame& frame, const PlotLook& look) const;
  std::optional<std::size_t> currentIndex() const;
  void choose(std::size_t index);
  void describe();

  QString hoverText(const PlotFrame& frame, const PlotLook& look) const;
  void paintMoments(QPainter& painter, const PlotFrame& frame, const PlotLook& look) const;

  Style& style_;
  RedrawTimer redraw_;
  LineSeries loss_;
  std::optional<double> current_, hovered_;
  std::vector<PlotFlag> flags_, pins_;
  std::vector<double> moments_;
  bool logarithmic_ = false;
  QPixmap curve_;
  PlotFrame frame_;
};

}  // namespace tfm::ui
