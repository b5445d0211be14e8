// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/point_plot.h"

#include <qcustomplot.h>

#include <QKeyEvent>
#include <QMouseEvent>
#include <algorithm>

namespace tfm::ui {
namespace {

constexpr double kReach = 8;  // at scale 1

}  // namespace

PointPlot::PointPlot(Style& style, QWidget* parent)
    : Plot(style, parent), zoom_(canvas()), frame_(new QCPItemTracer(&canvas())) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  frame_->setLayer(QStringLiteral("overlay"));
  frame_->setStyle(QCPItemTracer::tsSquare);
  frame_->setClipToAxisRect(false);
  frame_->setBrush(Qt::NoBrush);
  frame_->position->setType(QCPItemPosition::ptAbsolute);
  connect(&zoom_, &PlotZoom::changed, this, &PointPlot::redraw);
  connect(&zoom_, &PlotZoom::clicked, this, [this](const QPointF& place) {
    if (const int point = itemUnder(place); point >= 0) click(cellOf(point));
  });
  connect(&canvas(), &QCustomPlot::mouseMove, this,
          [this](QMouseEvent* event) { hoverItem(itemUnder(event->position())); });
}

void PointPlot::pointsChanged(int hovered, int locked) {
  setMarks(hovered, locked);
  redraw();
}

void PointPlot::marksChanged() {
  arrange(look());
  redrawLayer("overlay");
}

void PointPlot::itemLocked(int point) {
  if (point >= 0)
    emit locked(point);
  else
    emit unlocked();
}

bool PointPlot::isShown(const QPointF& place) const {
  return std::ranges::any_of(canvas().axisRects(), [&](const QCPAxisRect* axes) {
    return QRectF(axes->rect()).adjusted(-1, -1, 1, 1).contains(place);
  });
}

QRectF PointPlot::itemRect(int point) const {
  const QPointF place = placeOf(point);
  const double reach = kReach * look().unit;
  if (!isShown(place)) return {};
  return {place.x() - reach, place.y() - reach, 2 * reach, 2 * reach};
}

void PointPlot::arrange(const PlotLook& look) const {
  const int point = currentItem();
  const bool shown = point >= 0 && isShown(placeOf(point));
  frame_->setVisible(shown);
  if (!shown) return;
  frame_->position->setCoords(placeOf(point));
  frame_->setSize(2 * (kReach + 1) * look.unit);
  frame_->setPen(QPen(lockedItem() >= 0 ? look.palette.mark : look.palette.text, 2 * look.unit));
}

void PointPlot::keyPressEvent(QKeyEvent* event) {
  if (!zoom_.takeKey(event->key()) && !takeKey(event->key())) QWidget::keyPressEvent(event);
}

void PointPlot::leaveEvent(QEvent*) { hoverItem(-1); }

}  // namespace tfm::ui
