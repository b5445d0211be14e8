// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/line_canvas.h"

#include <qcustomplot.h>

#include <QPicture>
#include <algorithm>
#include <cmath>

#include "ui/figure/number_text.h"
#include "ui/plots/axis_ticks.h"

namespace tfm::ui {
namespace {

constexpr std::size_t kFew = 40;  // points of a curve that are marked

/// A QCustomPlot ticker whose labels read like every other number on screen.
class LabelledTicker : public QCPAxisTicker {
 protected:
  QString getTickLabel(double tick, const QLocale&, QChar, int) override {
    return tickNumber(tick);
  }
};

/// QCustomPlot's own has the powers of ten only, which leaves narrow ranges a single tick.
class LogarithmicTicker : public LabelledTicker {
 protected:
  QVector<double> createTickVector(double, const QCPRange& range) override {
    const std::vector<double> ticks = logarithmicTicks({range.lower, range.upper}, mTickCount);
    return {ticks.begin(), ticks.end()};
  }
};

class StepTicker : public QCPAxisTicker {
 protected:
  double getTickStep(const QCPRange& range) override {
    // Whole steps only: 2.5 would stand there as 2 or 3.
    return std::max(1.0, std::floor(QCPAxisTicker::getTickStep(range)));
  }
  int getSubTickCount(double) override { return 0; }
  QString getTickLabel(double tick, const QLocale&, QChar, int) override {
    return stepNumber(tick);
  }
};

/// Lines come cut to the axes; their marks stay whole at the edge.
class MarkedGraph : public QCPGraph {
 public:
  using QCPGraph::QCPGraph;

 protected:
  QRect clipRect() const override {
    const int room = int(std::ceil(scatterStyle().size()));
    return QCPGraph::clipRect().adjusted(-room, -room, room, room);
  }
};

/// As in the scatter of submodels, so that curves differ without colours too.
struct MarkShape {
  QCPScatterStyle::ScatterShape shape;
  double size;  ///< so that all look equally large
};
constexpr MarkShape kMarkShapes[] = {{QCPScatterStyle::ssDisc, 6},
                                     {QCPScatterStyle::ssSquare, 6},
                                     {QCPScatterStyle::ssTriangle, 7.5},
                                     {QCPScatterStyle::ssDiamond, 7},
                                     {QCPScatterStyle::ssTriangleInverted, 7.5}};

QCPScatterStyle markOf(int curve, const QColor& colour, const PlotLook& look) {
  const MarkShape& mark = kMarkShapes[std::size_t(curve) % std::size(kMarkShapes)];
  return {mark.shape, QPen(colour, look.unit), QBrush(colour), mark.size * look.unit};
}

void dressAxis(QCPAxis& axis, const PlotLook& look) {
  const QPen line(look.palette.line, look.unit);
  axis.setBasePen(Qt::NoPen);
  axis.setTickPen(line);
  axis.setTickLabelFont(look.number);
  axis.setTickLabelColor(look.palette.muted);
  axis.setSubTicks(false);
  axis.setTickLengthIn(0);
  axis.setLabel({});
  axis.setNumberFormat(QStringLiteral("g"));
}

void dressAxes(QCustomPlot& plot, const LineLayout& layout, const PlotLook& look, bool x_labels) {
  const QRectF& rect = layout.frame.rect;
  dressAxis(*plot.xAxis, look);
  dressAxis(*plot.yAxis, look);
  plot.xAxis->grid()->setVisible(false);
  plot.xAxis->setTickLengthOut(static_cast<int>(4 * look.unit));
  plot.xAxis->setTickLabelPadding(static_cast<int>(3 * look.unit));
  plot.xAxis->setTickLabels(x_labels);
  plot.xAxis->setTicks(x_labels);
  plot.yAxis->setTickLengthOut(0);
  plot.yAxis->setTickLabelPadding(static_cast<int>(6 * look.unit));
  plot.yAxis->grid()->setPen(QPen(look.gridColour(), look.unit));
  plot.yAxis->grid()->setZeroLinePen(Qt::NoPen);

  const QSharedPointer<QCPAxisTicker> steps(new StepTicker);
  steps->setTickCount(std::clamp(static_cast<int>(rect.width() / (90 * look.unit)), 1, 8));
  plot.xAxis->setTicker(steps);
  QSharedPointer<QCPAxisTicker> values;
  if (layout.frame.logarithmic)
    values.reset(new LogarithmicTicker);
  else
    values.reset(new LabelledTicker);
  values->setTickCount(std::clamp(static_cast<int>(rect.height() / (40 * look.unit)), 2, 6));
  plot.yAxis->setTicker(values);
  plot.yAxis->setScaleType(layout.frame.logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
  plot.xAxis->setRange(layout.frame.x.low, layout.frame.x.high);
  plot.yAxis->setRange(layout.frame.y.low, layout.frame.y.high);
}

void setLine(QCPGraph& graph, const Polyline& line, const QPen& pen) {
  graph.setPen(pen);
  graph.setAdaptiveSampling(false);
  const auto size = static_cast<qsizetype>(line.size());
  graph.setData(QVector<double>(line.x.begin(), line.x.begin() + size),
                QVector<double>(line.y.begin(), line.y.begin() + size), true);
}

}  // namespace

LineCanvas::LineCanvas() : plot_(std::make_unique<QCustomPlot>()) {
  plot_->axisRect()->setAutoMargins(QCP::msNone);
  plot_->setNotAntialiasedElements(QCP::aeAxes | QCP::aeGrid);
}

LineCanvas::~LineCanvas() = default;

void LineCanvas::prepare(const LineScene& scene, const LineLayout& layout, const PlotLook& look,
                         const QSize& size) {
  const QRect rect = layout.frame.rect.toRect();
  plot_->axisRect()->setMargins({rect.left(), rect.top(), size.width() - rect.left() - rect.width(),
                                 size.height() - rect.top() - rect.height()});
  dressAxes(*plot_, layout, look, scene.x_labels);
  // Raw lines first, so that no smoothed line is hidden behind another curve's noise.
  const int count = static_cast<int>(layout.curves.size());
  while (plot_->graphCount() > 2 * count) plot_->removeGraph(plot_->graphCount() - 1);
  while (plot_->graphCount() < 2 * count) new MarkedGraph(plot_->xAxis, plot_->yAxis);
  for (int i = 0; i < count; ++i) {
    const LineLayout::Curve& curve = layout.curves[static_cast<std::size_t>(i)];
    setLine(*plot_->graph(i), curve.raw, look.rawPen(i));
    QCPGraph& smooth = *plot_->graph(count + i);
    setLine(smooth, curve.smooth, look.seriesPen(i));
    // Few points are measurements one can count, and a single one would make no line.
    smooth.setScatterStyle(curve.smooth.size() <= kFew ? markOf(i, look.seriesColour(i), look)
                                                       : QCPScatterStyle::ssNone);
  }
}

QPixmap LineCanvas::pixmap(const LineScene& scene, const LineLayout& layout, const PlotLook& look,
                           const QSize& size, double pixel_ratio) {
  prepare(scene, layout, look, size);
  QPixmap pixmap(size * pixel_ratio);
  if (pixmap.isNull()) return pixmap;  // there is nothing to draw on
  pixmap.setDevicePixelRatio(pixel_ratio);
  pixmap.fill(look.palette.panel);
  plot_->setBackground(Qt::NoBrush);
  QCPPainter painter(&pixmap);
  plot_->toPainter(&painter, size.width(), size.height());
  return pixmap;
}

void LineCanvas::paint(QPainter& painter, const LineScene& scene, const LineLayout& layout,
                       const PlotLook& look, const QSize& size) {
  prepare(scene, layout, look, size);
  plot_->setBackground(Qt::NoBrush);
  // QCustomPlot wants a painter of its own class: it records, and the given one plays the record.
  QPicture record;
  {
    QCPPainter recorder(&record);
    for (const auto mode :
         {QCPPainter::pmVectorized, QCPPainter::pmNoCaching, QCPPainter::pmNonCosmetic})
      recorder.setMode(mode);
    plot_->toPainter(&recorder, size.width(), size.height());
  }
  painter.drawPicture(0, 0, record);
}

}  // namespace tfm::ui
