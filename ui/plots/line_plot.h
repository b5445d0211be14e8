// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPixmap>
#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "ui/figure/figure.h"
#include "ui/plots/line_layout.h"
#include "ui/plots/redraw_timer.h"

class QRubberBand;

namespace tfm::ui {

class LineCanvas;
class Style;

/// Curves over training steps: raw values thin, their moving average thick.
///
/// Follows the data until the user zooms: drag a rectangle, wheel, + and -, arrows to move; double
/// click or 0 follows again. L switches the y axis between linear and logarithmic. The cursor
/// reads values: hover, or Shift with the arrows; Ctrl+C copies them in full precision. Flags are
/// clicked, or reached with Page Up and Page Down and opened with Return.
class LinePlot : public QWidget, public Figure {
  Q_OBJECT

 public:
  explicit LinePlot(Style& style, QWidget* parent = nullptr);
  ~LinePlot() override;

  /// What the plot shows; the title of the exported figure and the accessible name.
  void setTitle(const QString& title);
  /// Titles of the axes, with units where there are any.
  void setAxisTitles(const QString& x, const QString& y);
  /// The y range shown while following, e.g. 0 to 1 for an accuracy.
  void setFixedY(std::optional<AxisRange> range);
  /// Whether a linear y axis reaches to 0 while following.
  void setFromZero(bool from_zero);
  /// From now on the y title says it where the axis does not start at 0.
  void nameStartOfY();
  /// Adds a curve and returns its index. An unsmoothed one suits few, exact points.
  int addSeries(const QString& name, bool smoothed = true);
  void setSeriesName(int series, const QString& name);
  /// Adds a point; see LineSeries::append() for steps that go back.
  void append(int series, double step, double value);
  /// Where the last value of a curve may truly lie: a bar at its end, none takes it away.
  void setInterval(int series, std::optional<AxisRange> interval);
  /// Forgets all points; series, flags and view stay.
  void clearPoints();
  void setFlags(std::vector<PlotFlag> flags);

  /// Weight of the past in the moving average, 0 to 0.99.
  void setSmoothing(double weight);
  double smoothing() const { return smoothing_; }
  void setLogarithmic(bool logarithmic);

  /// Shows all data again and keeps up with it.
  void follow();
  bool following() const { return !scene_.zoom_x && !scene_.zoom_y; }
  /// Chooses what the x axis shows, or follows the data with none.
  void setZoomX(std::optional<AxisRange> range);
  /// Moves the reading cursor to a step, or hides it.
  void setCursorStep(std::optional<double> step);
  std::optional<double> cursorStep() const { return cursor_; }
  /// Marks the step whose moment the other views show; none where that is the present.
  void setMoment(std::optional<double> step);
  std::optional<double> moment() const { return moment_; }

  /// For plots that stand above one another.
  void setXLabels(bool shown);
  void setLeastLabelRoom(double pixels);
  /// A legend above the axes even if there is room for labels at the lines' ends.
  void setLegend(bool legend);

  const LineScene& scene() const { return scene_; }
  /// The layout of the last redraw.
  const LineLayout& layoutShown() const { return layout_; }

  QString figureTitle() const override { return title_; }
  QSizeF figureSize() const override;
  void paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const override;
  void paintFigure(QPainter& painter, const QRectF& area, const Palette& palette,
                   bool legend) const;
  DataTable figureData() const override;
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 signals:
  /// A flag was clicked; its index in setFlags().
  void flagActivated(int index);
  /// The user moved the reading cursor; none: it left.
  void cursorMoved(std::optional<double> step);
  /// The user zoomed, moved or reset the x axis; none: it follows.
  void zoomXChanged(std::optional<tfm::ui::AxisRange> range);
  void logarithmicChanged(bool logarithmic);
  /// The curves were drawn again.
  void redrawn();

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  void redraw();
  void zoomTo(const AxisRange& x, const AxisRange& y);
  void zoomAround(const QPointF& centre, double factor);
  void pan(double x_share, double y_share);
  void moveCursor(std::optional<double> step);
  void moveCursorBy(int points);
  void moveCursorToFlag(int direction);
  void copyReadings() const;
  void describe();
  std::optional<double> nearestStep(double step) const;
  /// The flags whose line or text is there: of near ones several.
  std::vector<int> flagsAt(const QPointF& place) const;

  Style& style_;
  std::unique_ptr<LineCanvas> canvas_;
  RedrawTimer redraw_;
  QString title_;
  LineScene scene_;
  LineLayout layout_;
  QPixmap curves_;
  double smoothing_ = 0.6;
  bool legend_ = false;
  std::optional<double> cursor_;
  std::optional<double> moment_;
  std::optional<QPointF> press_;
  bool focus_shown_ = false;
  QRubberBand* band_;
};

}  // namespace tfm::ui
