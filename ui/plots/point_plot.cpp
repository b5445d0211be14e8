// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/point_plot.h"

#include <qcustomplot.h>

#include <QKeyEvent>
#include <QLineF>
#include <QMouseEvent>
#include <algorithm>

namespace tfm::ui {
namespace {

constexpr double kReach = 8;  // at scale 1

}  // namespace

PointPlot::PointPlot(Style& style, QWidget* parent)
    : Plot(style, parent),
      zoom_(canvas()),
      frame_(new QCPItemTracer(&canvas())),
      points_(
          *this, [this] { return pointCount(); }, [this](int point) { return pointText(point); }) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  frame_->setLayer(QStringLiteral("overlay"));
  frame_->setStyle(QCPItemTracer::tsSquare);
  frame_->setClipToAxisRect(false);
  frame_->setBrush(Qt::NoBrush);
  frame_->position->setType(QCPItemPosition::ptAbsolute);
  connect(&zoom_, &PlotZoom::changed, this, &PointPlot::redraw);
  connect(&zoom_, &PlotZoom::clicked, this, [this](const QPointF& place) {
    const int point = pointAt(place);
    if (point < 0) return;
    setCurrent(point == current() ? -1 : point);
    emit clicked(point);
  });
  connect(&canvas(), &QCustomPlot::mouseMove, this,
          [this](QMouseEvent* event) { hover(pointAt(event->position())); });
}

void PointPlot::setCurrent(int point) {
  if (points_.setCurrent(point)) showPoints();
}

void PointPlot::pointsChanged(int current, int hovered) {
  points_.renew(current, hovered);
  redraw();
}

void PointPlot::hover(int point) {
  if (points_.setHovered(point)) showPoints();
}

void PointPlot::showPoints() {
  arrange(look());
  redrawLayer("overlay");
}

bool PointPlot::isShown(const QPointF& place) const {
  return std::ranges::any_of(canvas().axisRects(), [&](const QCPAxisRect* axes) {
    return QRectF(axes->rect()).adjusted(-1, -1, 1, 1).contains(place);
  });
}

int PointPlot::pointAt(const QPointF& place) const {
  int nearest = -1;
  double least = kReach * look().unit;
  for (int point = 0; point < pointCount(); ++point) {
    const QPointF there = placeOf(point);
    const double distance = QLineF(place, there).length();
    if (distance > least || !isShown(there)) continue;
    nearest = point;
    least = distance;
  }
  return nearest;
}

QString PointPlot::toolTipAt(const QPointF& place) const {
  const int point = pointAt(place);
  return point < 0 ? QString() : pointText(point);
}

void PointPlot::arrange(const PlotLook& look) const {
  const bool shown = current() >= 0 && isShown(placeOf(current()));
  frame_->setVisible(shown);
  if (!shown) return;
  frame_->position->setCoords(placeOf(current()));
  frame_->setSize(2 * (kReach + 1) * look.unit);
  frame_->setPen(QPen(look.palette.mark, 2 * look.unit));
}

void PointPlot::keyPressEvent(QKeyEvent* event) {
  if (zoom_.takeKey(event->key())) return;
  switch (points_.takeKey(event->key())) {
    case ItemChoice::Taken::No:
      return QWidget::keyPressEvent(event);
    case ItemChoice::Taken::Walked:
      return showPoints();
    case ItemChoice::Taken::Chosen:
      emit clicked(current());
  }
}

void PointPlot::leaveEvent(QEvent*) { hover(-1); }

}  // namespace tfm::ui
