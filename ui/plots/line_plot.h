// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "ui/plots/forward.h"
#include "ui/plots/line_series.h"
#include "ui/plots/plot.h"
#include "ui/plots/plot_flag.h"
#include "ui/plots/plot_frame.h"
#include "ui/plots/plot_zoom.h"
#include "ui/style/forward.h"

namespace tfm::ui {

/// A curve: its data, and the graphs that show them.
struct LineCurve {
  /// See LineSeries::append().
  void append(double step, double value);
  void clear();
  /// Hands all data to the graphs.
  void refill() const;

  QString name;
  LineSeries data{};
  bool smoothed = true;                 ///< whether the plot's smoothing applies
  std::optional<AxisRange> interval{};  ///< of the last value: a bar at the curve's end
  PlotGraph* raw = nullptr;             ///< the values, behind a smoothed line
  PlotGraph* line = nullptr;            ///< the smoothed values
  QCPErrorBars* bar = nullptr;          ///< the interval
  QCPItemTracer* dot = nullptr;         ///< the cursor's
};

/// The steps that the curves span.
AxisRange stepsOf(std::span<const LineCurve> curves);
/// What of the curves cannot be shown at these steps, and why; empty if everything can.
QString noteOn(std::span<const LineCurve> curves, const AxisRange& steps, bool logarithmic);

/// Curves over training steps: raw values thin, their moving average thick.
///
/// Follows the data until the user zooms; the arrow keys pan. L switches the y axis between
/// linear and logarithmic. The cursor reads values: hover, or Shift with the arrows; Ctrl+C copies
/// them in full precision. Flags are clicked, or reached with Page Up and Page Down and opened with
/// Return.
class LinePlot : public Plot {
  Q_OBJECT

 public:
  explicit LinePlot(Style& style, QWidget* parent = nullptr);

  /// Sets the titles of the axes, with units if there are any.
  void setAxisTitles(const QString& x, const QString& y);
  /// The y range shown while following, e.g. 0 to 1 for an accuracy.
  void setFixedY(std::optional<AxisRange> range);
  /// Whether a linear y axis reaches to 0 while following.
  void setFromZero(bool from_zero);
  /// Notes in the y title when the axis does not start at 0.
  void nameStartOfY();
  /// Adds a curve and returns its index. An unsmoothed one suits few, exact points.
  int addSeries(const QString& name, bool smoothed = true);
  void setSeriesName(int series, const QString& name);
  /// Adds a point; see LineSeries::append() for steps that go back.
  void append(int series, double step, double value);
  /// The confidence interval of a curve's last value, a bar at its end; nullopt removes it.
  void setInterval(int series, std::optional<AxisRange> interval);
  /// Removes all points; series, flags and view stay.
  void clearPoints();
  void setFlags(std::vector<PlotFlag> flags);

  /// Weight of the past in the moving average, 0 to 0.99.
  void setSmoothing(double weight);
  double smoothing() const { return smoothing_; }
  void setLogarithmic(bool logarithmic);

  /// Shows all data and follows it.
  void follow();
  bool following() const { return zoom_.following(); }
  /// Sets the range of the x axis; nullopt follows the data.
  void setZoomX(std::optional<AxisRange> range);
  /// Moves the reading cursor to a step, or hides it.
  void setCursorStep(std::optional<double> step);
  std::optional<double> cursorStep() const { return cursor_; }
  /// Marks the step of the shown moment; nullopt for the present.
  void setMoment(std::optional<double> step);
  std::optional<double> moment() const { return moment_; }

  /// For stacked plots.
  void setXLabels(bool shown);
  void setLeastLabelRoom(double pixels);
  /// A legend above the axes even if there is room for labels at the lines' ends.
  void setLegend(bool legend);
  /// The width that the labels at the lines' ends need, constant while values change.
  double labelRoom(const PlotLook& look) const;
  /// Whether a plot of this size has room for labels at the lines' ends.
  bool hasRoomAtEnds(const PlotLook& look, const QSizeF& size) const;

  const std::vector<LineCurve>& curves() const { return curves_; }
  const std::vector<PlotFlag>& flags() const { return flags_; }
  bool logarithmic() const { return logarithmic_; }

  /// What the last redraw showed.
  AxisRange shownX() const;
  AxisRange shownY() const;
  QRectF axes() const;
  QString yTitle() const;
  bool labelsAtEnds() const { return layout_.labels_at_ends; }
  const std::vector<PlacedFlag>& placedFlags() const { return layout_.flags; }
  /// What cannot be shown and why; empty if everything can.
  QString note() const { return noteOn(curves_, shownX(), logarithmic_); }

  QSizeF figureSize() const override;
  using Plot::paintFigure;
  void paintFigure(QPainter& painter, const QRectF& area, const Palette& palette,
                   bool legend) const;
  DataTable figureData() const override;
  QSize minimumSizeHint() const override;

 signals:
  void flagActivated(int index);
  /// The user moved the cursor; nullopt: removed it.
  void cursorMoved(std::optional<double> step);
  /// The user zoomed, moved or reset the x axis; nullopt: it follows the data.
  void zoomXChanged(std::optional<tfm::ui::AxisRange> range);
  void logarithmicChanged(bool logarithmic);

 protected:
  void prepare(const PlotLook& look, const QSizeF& size) const override;
  void arrange(const PlotLook& look) const override;
  QString toolTipAt(const QPointF& place) const override;
  void keyPressEvent(QKeyEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  struct Layout {
    bool labels_at_ends = false;  ///< names at the lines' ends, else in a legend above
    bool low = false;             ///< the x title is beside the ticks
    double edge = 0, row = 0;     ///< free space along the border; height of a line of text
    QPointF legend;
    std::vector<PlacedFlag> flags;
  };

  void dress(const PlotLook& look) const;
  AxisRange followedY() const;
  void paintWords(QPainter& painter) const;
  void paintEnds(QPainter& painter) const;
  void paintNote(QPainter& painter) const;
  /// A value as in labels: three digits, but on an axis of fixed range no more decimals than it can
  /// show, so that an average of zeros is "0.000" and not "4.80e-14".
  QString readingText(double value) const;
  QString cursorText() const;

  void connectMouse();
  void pan(double x_share, double y_share);
  void moveCursor(std::optional<double> step);
  void moveCursorBy(int points);
  void moveCursorToFlag(int direction);
  void copyReadings() const;
  void describe();
  std::optional<double> nearestStep(double step) const;
  /// The flags whose line or text is at `place`; several if they are close.
  std::vector<int> flagsAt(const QPointF& place) const;

  QString x_title_, y_title_;
  std::vector<LineCurve> curves_;
  std::vector<PlotFlag> flags_;
  bool logarithmic_ = false;
  bool x_labels_ = true;              ///< off for all but the lowest plot of a stack
  double least_label_room_ = 0;       ///< room right of the axes, so that stacked plots align
  std::optional<AxisRange> fixed_y_;  ///< shown while following, instead of the range of the data
  bool y_from_zero_ = false, names_y_start_ = false;
  PlotZoom zoom_;
  double smoothing_ = 0.6;
  mutable bool legend_ = false;
  std::optional<double> cursor_, moment_;
  mutable Layout layout_;  ///< of the last redraw

  QCPItemLine *cursor_line_, *moment_line_;
  QCPItemText *cursor_text_, *moment_text_;
};

}  // namespace tfm::ui
