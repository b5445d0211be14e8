// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/elastic/scatter_painter.h"

#include <QPainter>
#include <algorithm>

#include "ui/elastic/mark_shape.h"
#include "ui/figure/number_text.h"
#include "ui/plots/axis_ticks.h"

namespace tfm::ui {
namespace {

using Margins = ScatterMargins;

constexpr double kCap = 3;     // half the width of an error bar's cap
constexpr double kSpread = 6;  // width of the bar of seeds
constexpr double kRing = 9;    // radius around the chosen one

QPen frontPen(const PlotLook& look) { return {look.faded(look.palette.text, 0.7), 1.5}; }

void paintInterval(QPainter& painter, double x, double high, double low, const QColor& colour) {
  painter.setPen(QPen(colour, 1.2, Qt::SolidLine, Qt::FlatCap));
  painter.drawLine(QPointF(x, high), QPointF(x, low));
  for (const double y : {high, low}) painter.drawLine(QPointF(x - kCap, y), QPointF(x + kCap, y));
}

void paintSpread(QPainter& painter, double x, double high, double low, const QColor& colour) {
  if (low - high < 0.5) return;
  painter.setPen(Qt::NoPen);
  painter.setBrush(colour);
  painter.drawRect(QRectF(x - kSpread / 2, high, kSpread, low - high));
}

void paintSample(QPainter& painter, ScatterSample sample, const QRectF& box, const PlotLook& look) {
  const QPointF centre = box.center();
  const double high = box.top() + 3, low = box.bottom() - 3;
  switch (sample) {
    case ScatterSample::Trained:
      return paintMark(painter, centre, ElasticKind::Trained, -1, false, look);
    case ScatterSample::Mixed:
      return paintMark(painter, centre, ElasticKind::Mixed, -1, true, look);
    case ScatterSample::Separate:
      return paintMark(painter, centre, ElasticKind::Separate, -1, false, look);
    case ScatterSample::Front:
      painter.setPen(frontPen(look));
      painter.drawLine(QPointF(box.left(), centre.y()), QPointF(box.right(), centre.y()));
      return;
    case ScatterSample::Examples:
      return paintInterval(painter, centre.x(), high, low, look.palette.muted);
    case ScatterSample::Seeds:
      return paintSpread(painter, centre.x(), high, low, look.faded(look.palette.muted, 0.5));
  }
}

void paintLegend(QPainter& painter, const ScatterLayout& layout, const PlotLook& look) {
  painter.setFont(look.text);
  for (const ScatterLayout::LegendEntry& entry : layout.legend) {
    QRectF sample = entry.box;
    sample.setWidth(Margins::kSample);
    paintSample(painter, entry.sample, sample, look);
    painter.setPen(look.palette.text);
    painter.drawText(entry.box.adjusted(Margins::kSample + 6, 0, 2, 0), Qt::AlignVCenter,
                     entry.text);
  }
}

/// Marks an axis that does not start at 0 as broken.
void paintBreak(QPainter& painter, const PlotFrame& frame, const PlotLook& look) {
  const double x = crisp(frame.rect.left()), bottom = frame.rect.bottom();
  painter.setPen(QPen(look.palette.muted, 1.2));
  painter.drawPolyline(QPolygonF({{x, bottom},
                                  {x, bottom - 3},
                                  {x - 3, bottom - 5},
                                  {x + 3, bottom - 9},
                                  {x, bottom - 11},
                                  {x, bottom - 14}}));
}

void paintAxes(QPainter& painter, const ScatterScene& scene, const ScatterLayout& layout,
               const PlotLook& look) {
  const PlotFrame& frame = layout.frame;
  const QRectF& rect = frame.rect;
  painter.setFont(look.text);
  painter.setPen(look.palette.muted);
  painter.drawText(QRectF(rect.left() - Margins::kTickColumn + 6,
                          rect.top() - Margins::kTitleRow - Margins::kHeadroom,
                          rect.width() + Margins::kTickColumn, Margins::kTitleRow),
                   Qt::AlignVCenter, layout.y_title);
  painter.drawText(
      QRectF(rect.left(), rect.bottom() + Margins::kTickRow, rect.width(), Margins::kTitleRow),
      Qt::AlignRight | Qt::AlignVCenter, layout.x_title);
  if (scene.marks.empty()) return;
  painter.setFont(look.number);
  for (const double tick : linearTicks(frame.y, std::clamp(rect.height() / 36, 4.0, 7.0))) {
    const double y = crisp(frame.yToPixel(tick));
    painter.setPen(look.gridColour());
    painter.drawLine(QPointF(rect.left(), y), QPointF(rect.right(), y));
    painter.setPen(look.palette.muted);
    painter.drawText(QRectF(rect.left() - Margins::kTickColumn, y - Margins::kTickRow / 2,
                            Margins::kTickColumn - 8, Margins::kTickRow),
                     Qt::AlignRight | Qt::AlignVCenter, tickNumber(tick));
  }
  for (const double tick : linearTicks(frame.x, std::clamp(rect.width() / 70, 2.0, 8.0))) {
    const double x = crisp(frame.xToPixel(tick));
    painter.setPen(look.palette.line);
    painter.drawLine(QPointF(x, rect.bottom()), QPointF(x, rect.bottom() + 4));
    painter.setPen(look.palette.muted);
    painter.drawText(QRectF(x - 50, rect.bottom() + 4, 100, Margins::kTickRow), Qt::AlignCenter,
                     tickNumber(tick / layout.x_unit));
  }
  painter.setPen(QPen(look.palette.line, 1));
  painter.drawLine(QPointF(rect.left(), crisp(rect.bottom())),
                   QPointF(rect.right(), crisp(rect.bottom())));
  if (frame.y.low > 0) paintBreak(painter, frame, look);
}

int sizeOf(const ScatterScene& scene, const ElasticMark& mark) {
  return int(scene.names.indexOf(mark.name));
}

void paintBars(QPainter& painter, const ScatterScene& scene, const ScatterLayout& layout,
               const PlotLook& look) {
  for (std::size_t i = 0; i < scene.marks.size(); ++i) {
    const ElasticMark& mark = scene.marks[i];
    const ScatterLayout::Spot& spot = layout.spots[i];
    const QColor colour = markColour(mark.kind, sizeOf(scene, mark), look);
    const bool mixed = mark.kind == ElasticKind::Mixed;
    paintSpread(painter, spot.place.x(), spot.spread_high, spot.spread_low,
                look.faded(colour, 0.4));
    if (spot.has_interval)
      paintInterval(painter, spot.place.x(), spot.interval_high, spot.interval_low,
                    mixed ? look.faded(colour, 0.4) : colour);
  }
}

void paintMarks(QPainter& painter, const ScatterScene& scene, const ScatterLayout& layout,
                const PlotLook& look) {
  for (const ElasticKind kind : {ElasticKind::Mixed, ElasticKind::Separate, ElasticKind::Trained})
    for (std::size_t i = 0; i < scene.marks.size(); ++i) {
      const ElasticMark& mark = scene.marks[i];
      if (mark.kind != kind) continue;
      const bool on_front =
          std::find(scene.front.begin(), scene.front.end(), i) != scene.front.end();
      paintMark(painter, layout.spots[i].place, kind, sizeOf(scene, mark), on_front, look);
    }
}

}  // namespace

void paintScatter(QPainter& painter, const ScatterScene& scene, const ScatterLayout& layout,
                  const PlotLook& look) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  paintLegend(painter, layout, look);
  paintAxes(painter, scene, layout, look);
  painter.setBrush(Qt::NoBrush);
  QPen line = frontPen(look);
  line.setJoinStyle(Qt::MiterJoin);
  painter.setPen(line);
  painter.drawPolyline(layout.front.data(), int(layout.front.size()));
  paintBars(painter, scene, layout, look);
  paintMarks(painter, scene, layout, look);
  painter.setFont(look.strong);
  painter.setPen(look.palette.text);
  for (const ScatterLayout::Label& label : layout.labels)
    painter.drawText(label.box.adjusted(0, 0, 2, 0), Qt::AlignCenter, scene.marks[label.mark].name);
  painter.restore();
}

void paintChosen(QPainter& painter, const ScatterScene& scene, const ScatterLayout& layout,
                 const PlotLook& look) {
  for (std::size_t i = 0; i < scene.marks.size(); ++i) {
    const ElasticMark& mark = scene.marks[i];
    if (mark.kind == ElasticKind::Separate || mark.submodel != scene.chosen) continue;
    painter.setPen(QPen(look.palette.mark, 2.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawEllipse(layout.spots[i].place, kRing, kRing);
  }
}

}  // namespace tfm::ui
