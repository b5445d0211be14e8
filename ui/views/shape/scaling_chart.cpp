// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/shape/scaling_chart.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <array>
#include <cmath>

#include "ui/style/style.h"

namespace tfm::ui {
namespace {

// Pixels at scale 1.
constexpr double kDepths = 120.0, kWidths = 64.0;
constexpr double kSpace = 10.0;
constexpr double kHandle = 6.0, kReach = 11.0;
constexpr double kTopDepth = 10.0, kTopWidth = 4.0;  // of the axes, where the values allow

constexpr std::array kEnds{ScalingEnd::Least, ScalingEnd::Most, ScalingEnd::Width};

}  // namespace

QPointF ScalingLayout::handle(ScalingEnd end) const {
  const QRectF& bar = end == ScalingEnd::Width  ? widths.bars.front()
                      : end == ScalingEnd::Most ? depths.bars.back()
                                                : depths.bars.front();
  return {bar.center().x(), bar.top()};
}

ScalingLayout layOutScaling(const std::vector<DextraScale>& scales, double width, double unit,
                            double line) {
  ScalingLayout out;
  const double edge = kHandle * unit;
  out.depths.area = {edge, line, width - 2 * edge, kDepths * unit};
  out.widths.area = {edge, out.depths.area.bottom() + kSpace * unit + 2 * line, width - 2 * edge,
                     kWidths * unit};
  out.depths.top = kTopDepth;
  out.widths.top = kTopWidth;
  for (const DextraScale& scale : scales) {
    out.depths.top = std::max(out.depths.top, double(scale.depth));
    out.widths.top = std::max(out.widths.top, scale.width);
  }
  const double pitch = out.depths.area.width() / double(std::max<std::size_t>(1, scales.size()));
  for (std::size_t i = 0; i < scales.size(); ++i) {
    const auto bar = [&](ScalingLayout::Bars& bars, double value) {
      const double high = bars.area.height() * value / bars.top;
      bars.bars.emplace_back(bars.area.left() + double(i) * pitch + pitch * 0.14,
                             bars.area.bottom() - high, pitch * 0.72, high);
    };
    bar(out.depths, double(scales[i].depth));
    bar(out.widths, scales[i].width);
  }
  out.size = {width, out.widths.area.bottom() + line};
  return out;
}

ScalingChart::ScalingChart(const Style& style, QWidget* parent) : CellGrid(style, parent) {
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
}

void ScalingChart::setScales(std::vector<DextraScale> scales) {
  if (scales == scales_) return;
  scales_ = std::move(scales);
  forgetOutside();
  arrange();
}

QString ScalingChart::itemText(int item) const {
  const DextraScale& scale = scales_[std::size_t(item)];
  return tr("block %1: %2 grouped maps, the widest %3 hidden sizes wide")
      .arg(item + 1)
      .arg(scale.depth)
      .arg(scale.width);
}

ScalingLayout ScalingChart::layoutIn(double width) const {
  return layOutScaling(scales_, width, style().scale(),
                       QFontMetricsF(style().numberFont(12)).height() + 2 * style().scale());
}

void ScalingChart::layOut() { layout_ = layoutIn(viewport()->width()); }

QSize ScalingChart::sizeHint() const {
  return {style().px(220), int(std::ceil(layoutIn(style().px(220)).size.height()))};
}

QSize ScalingChart::minimumSizeHint() const { return {style().px(120), sizeHint().height()}; }

QRectF ScalingChart::itemArea(int item) const {
  const QRectF &depth = layout_.depths.bars[std::size_t(item)],
               &width = layout_.widths.bars[std::size_t(item)];
  return depth.united(width);
}

int ScalingChart::itemAt(const QPointF& point) const {
  for (int item = 0; item < itemCount(); ++item)
    if (itemArea(item).contains(point)) return item;
  return -1;
}

std::optional<ScalingEnd> ScalingChart::endAt(const QPointF& point) const {
  if (scales_.empty()) return std::nullopt;
  const double reach = kReach * style().scale();
  for (const ScalingEnd end : kEnds)
    if (const QPointF way = point - layout_.handle(end);
        QPointF::dotProduct(way, way) <= reach * reach)
      return end;
  return std::nullopt;
}

std::optional<Qt::CursorShape> ScalingChart::handleAt(const QPointF& point) const {
  return endAt(point) ? std::optional(Qt::SizeVerCursor) : std::nullopt;
}

void ScalingChart::takeHandle(const QPointF& point) { held_ = *endAt(point); }

void ScalingChart::dragTo(const QPointF& point) {
  const bool width = held_ == ScalingEnd::Width;
  const ScalingLayout::Bars& bars = width ? layout_.widths : layout_.depths;
  const double value = std::clamp(bars.valueAt(point.y()), 0.0, bars.top);
  emit dragged(held_, width ? std::round(20.0 * value) / 20.0 : std::round(value));
}

QString ScalingChart::tipAt(const QPointF& point) const {
  const auto end = endAt(point);
  if (!end) return CellGrid::tipAt(point);
  return *end == ScalingEnd::Width  ? tr("Drag to choose the width of the first block")
         : *end == ScalingEnd::Most ? tr("Drag to choose the depth of the last block")
                                    : tr("Drag to choose the depth of the first block");
}

void ScalingChart::paintBars(QPainter& painter, const ScalingLayout& layout,
                             const Palette& palette) const {
  if (scales_.empty()) return;
  const double unit = style().scale();
  painter.setRenderHint(QPainter::Antialiasing);
  const QFont number = style().numberFont(10.5);
  const double line = QFontMetricsF(number).height();
  const auto paint = [&](const ScalingLayout::Bars& bars, const auto& value, const QString& name) {
    painter.setFont(style().textFont(10.5));
    painter.setPen(palette.muted);
    painter.drawText(QRectF(bars.area.left(), bars.area.top() - line, bars.area.width(), line),
                     Qt::AlignLeft | Qt::AlignVCenter, name);
    painter.setFont(number);
    for (std::size_t i = 0; i < bars.bars.size(); ++i) {
      const bool end = i == 0 || (i + 1 == bars.bars.size() && &bars == &layout.depths);
      painter.setPen(QPen(end ? palette.accent : palette.line, unit));
      painter.setBrush(end ? palette.accent : palette.raised);
      painter.drawRoundedRect(bars.bars[i], 2 * unit, 2 * unit);
      painter.setPen(end ? readableOn(palette.accent) : palette.text);
      painter.drawText(QRectF(bars.bars[i].center().x() - 24 * unit, bars.bars[i].bottom() - line,
                              48 * unit, line),
                       Qt::AlignCenter, QString::number(value(scales_[i]), 'g', 3));
    }
  };
  paint(
      layout.depths, [](const DextraScale& s) { return double(s.depth); },
      tr("grouped maps of each block"));
  paint(
      layout.widths, [](const DextraScale& s) { return s.width; },
      tr("width of its widest map, in hidden sizes"));
  painter.setPen(QPen(palette.ground, 1.5 * unit));
  painter.setBrush(palette.text);
  for (const ScalingEnd end : kEnds)
    painter.drawEllipse(layout.handle(end), kHandle * unit, kHandle * unit);
}

void ScalingChart::paintItems(QPainter& painter) { paintBars(painter, layout_, style().palette()); }

QSizeF ScalingChart::figureSize() const { return layoutIn(style().scale() * 360).size; }

void ScalingChart::paintFigure(QPainter& painter, const QRectF& area,
                               const Palette& palette) const {
  painter.translate(area.topLeft());
  paintBars(painter, layoutIn(area.width()), palette);
}

DataTable ScalingChart::figureData() const {
  DataTable table{{"block", "maps", "width"}, {}};
  for (std::size_t i = 0; i < scales_.size(); ++i)
    table.rows.push_back({QString::number(i + 1), QString::number(scales_[i].depth),
                          fullPrecision(scales_[i].width)});
  return table;
}

}  // namespace tfm::ui
