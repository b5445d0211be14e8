// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "ui/plots/forward.h"
#include "ui/plots/line_plot.h"
#include "ui/plots/plot.h"
#include "ui/plots/plot_flag.h"
#include "ui/style/forward.h"

namespace tfm::ui {

/// The loss over all steps, 60 pixels high, with a line at the shown step.
///
/// Hovering shows a step or its flag, clicking or dragging chooses one. On the keyboard, Left and
/// Right move by one kept moment, or one recorded step if there are none, Page Up and Page Down by
/// a tenth of all, Home and End to the ends; L switches between linear and logarithmic.
class LossStrip : public Plot {
  Q_OBJECT

 public:
  explicit LossStrip(Style& style, QWidget* parent = nullptr);

  /// Adds a value; see LineSeries::append() for steps that go back.
  void append(double step, double loss);
  void clearPoints();
  /// The step shown in the rest of the window; nullopt: the newest.
  void setCurrentStep(std::optional<double> step);
  /// Steps that are pinned, with the names of their pins.
  void setPins(std::vector<PlotFlag> pins);
  /// Steps with a kept moment, drawn as small ticks.
  void setMoments(std::vector<double> steps);
  void setFlags(std::vector<PlotFlag> flags);
  void setLogarithmic(bool logarithmic);
  bool logarithmic() const { return logarithmic_; }

  QSizeF figureSize() const override;
  DataTable figureData() const override;
  QSize minimumSizeHint() const override;

 signals:
  /// The user chose a recorded step.
  void stepClicked(double step);
  /// The user moves by this many kept moments from the current step.
  void momentStepped(int by);
  void logarithmicChanged(bool logarithmic);

 protected:
  void prepare(const PlotLook& look, const QSizeF& size) const override;
  void keyPressEvent(QKeyEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  /// Redraws everything but the curve.
  void showMarkers();
  void connectMouse();
  std::optional<std::size_t> currentIndex() const;
  std::optional<std::size_t> indexAt(double x) const;
  void choose(std::size_t index);
  void describe();
  bool shows(double step) const;

  void paintNote(QPainter& painter) const;
  void paintMarkers(QPainter& painter) const;
  void paintMoments(QPainter& painter) const;
  QRectF axes() const;
  /// A vertical line with a text beside it, on whichever side has room, above or below the curve.
  /// The text is right of the line, unless it would reach beyond `free`. Returns its left end, or
  /// that of the line.
  double paintMarker(QPainter& painter, double step, const QPen& pen, const QString& text,
                     double free) const;
  QString hoverText() const;

  LineCurve curve_;
  std::optional<double> current_, hovered_;
  std::vector<PlotFlag> flags_, pins_;
  std::vector<double> moments_;
  bool logarithmic_ = false;
  QCPItemTracer* dot_;  ///< at the current step
};

}  // namespace tfm::ui
