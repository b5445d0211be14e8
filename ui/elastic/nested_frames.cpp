// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/elastic/nested_frames.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "core/base/check.h"
#include "ui/elastic/width_slider.h"
#include "ui/heatmap/legend.h"
#include "ui/style/style.h"

namespace tfm::ui {
namespace {

const ParameterInfo& matrixOf(const ModelState& state, Stack stack, std::size_t layer,
                              ParameterPart part) {
  const auto is = [&](const ParameterInfo& p) {
    const Site& site = p.tag.site;
    return site.stack == stack && site.layer == std::int64_t(layer) && p.tag.part == part &&
           p.tag.term == Term::Weight;
  };
  const auto found = std::ranges::find_if(state.layout.parameters, is);
  check(found != state.layout.parameters.end(), "every layer has a feed-forward");
  return *found;
}

constexpr double kLargestRow = 44.0;
constexpr int kFadedAlpha = 208;  // of 255: what lies outside stays recognisable
constexpr double kReach = 6.0;    // pixels within which the pointer grabs the edge
constexpr double kSnap = 4.0;     // pixels around a frame

double gapFor(double pitch, double unit) { return pitch >= 7.0 * unit ? 1.0 : 0.0; }

}  // namespace

QStringList layerNames(const ModelConfig& config) {
  QStringList names;
  for (std::size_t i = 0; i < config.encoder_layers.size(); ++i)
    names << NestedFrames::tr("encoder layer %1").arg(i + 1);
  for (std::size_t i = 0; i < config.decoder_layers.size(); ++i)
    names << NestedFrames::tr("decoder layer %1").arg(i + 1);
  return names;
}

NestedLayer nestedLayer(const ModelState& state, std::size_t layer) {
  const std::size_t encoder = state.config.encoder_layers.size();
  const Stack stack = layer < encoder ? Stack::Encoder : Stack::Decoder;
  const std::size_t own = layer < encoder ? layer : layer - encoder;
  const auto inside = std::size_t(state.config.holderOf(stack, std::int64_t(own)));
  const ParameterInfo& first = matrixOf(state, stack, inside, ParameterPart::Linear1);
  const ParameterInfo& second = matrixOf(state, stack, inside, ParameterPart::Linear2);
  NestedLayer out;
  out.name = layerNames(state.config)[qsizetype(layer)];
  out.units = int(first.rows());
  out.hidden = int(first.cols());
  check(second.rows() == first.cols() && second.cols() == first.rows(),
        "linear2 has the transposed shape of linear1");
  const float* all = state.parameters.data();
  out.reads.resize(std::size_t(first.size()));
  for (int unit = 0; unit < out.units; ++unit)
    for (int h = 0; h < out.hidden; ++h)
      out.reads[std::size_t(h) * std::size_t(out.units) + std::size_t(unit)] =
          all[first.offset + std::int64_t(unit) * out.hidden + h];
  out.writes.assign(all + second.offset, all + second.offset + second.size());
  return out;
}

void NestedFrames::setLayer(NestedLayer layer) {
  layer_ = std::move(layer);
  forgetOutside();
  double limit = 0.0;
  for (const auto* values : {&layer_.reads, &layer_.writes})
    for (const float value : *values)
      if (std::isfinite(value)) limit = std::max(limit, std::abs(double(value)));
  scale_ = ColorScale::signedTo(niceLimit(limit));
  width_ = std::clamp(width_, 0, layer_.units);
  arrange();
}

void NestedFrames::setTicks(std::vector<WidthTick> ticks) {
  if (ticks == ticks_) return;
  ticks_ = std::move(ticks);
  arrange();
}

void NestedFrames::setWidth(int width) {
  if (width == width_) return;
  width_ = width;
  viewport()->update();
}

float NestedFrames::value(int row, int col) const {
  const auto& values = row < layer_.hidden ? layer_.reads : layer_.writes;
  return values[std::size_t(row % layer_.hidden) * std::size_t(layer_.units) + std::size_t(col)];
}

NestedFramesLayout NestedFrames::layoutIn(const QRectF& area) const {
  NestedFramesLayout out;
  out.unit = style().scale();
  if (layer_.units == 0) return out;
  const double unit = out.unit, around = kSliderEnd * unit;
  const double line = QFontMetricsF(style().textFont(12)).height();
  const double head = 2 * line + around, middle = 22.0 * unit;
  const double foot = around + 2 * line + 8.0 * unit;
  const double room_x = area.width() - 2 * around;
  const double room_y = (area.height() - head - middle - foot) / 2;
  // Columns fill the width, so that the ticks of a slider below line up with the frames.
  const double pitch_x = std::max(room_x / layer_.units, 0.02);
  const double pitch_y = std::clamp(room_y / layer_.hidden, 0.02, kLargestRow * unit);
  const double gap = gapFor(std::min(pitch_x, pitch_y), unit);
  const double left = area.left() + around;
  out.reads = {{left, area.top() + head}, pitch_x, pitch_y, gap, layer_.hidden, layer_.units};
  out.writes = out.reads;
  out.writes.origin.setY(out.reads.bounds().bottom() + middle);
  const double bottom = out.writes.bounds().bottom();
  out.reads_title = {left, area.top(), room_x, line};
  out.writes_title = {left, bottom + around + 2.0 * unit, room_x, line};
  out.legend = {left, out.writes_title.bottom() + 4.0 * unit, room_x, line};
  const QFontMetricsF names(style().textFont(12, QFont::Bold));
  const double step = (around - 2.0 * unit) / double(std::max<std::size_t>(1, ticks_.size()));
  double taken = 1e9;
  for (std::size_t i = 0; i < ticks_.size(); ++i) {
    const double out_by = 2.0 * unit + step * double(i);
    out.frames.push_back(
        QRectF(QPointF(left, out.reads.origin.y()), QPointF(out.edge(ticks_[i].width), bottom))
            .adjusted(-out_by, -out_by, out_by, out_by));
  }
  out.labels.resize(ticks_.size());
  for (std::size_t i = ticks_.size(); i-- > 0;) {
    const double right = out.frames[i].right();
    const double wide = names.horizontalAdvance(ticks_[i].name) + 2 * unit;
    if (right > taken - 3 * unit) continue;
    out.labels[i] = {right - wide, out.frames.back().top() - line, wide, line};
    taken = right - wide;
  }
  return out;
}

QRectF NestedFrames::itemArea(int item) const {
  const auto [row, col] = cellOf(item);
  return row < layer_.hidden ? layout_.reads.cell(row, col)
                             : layout_.writes.cell(row - layer_.hidden, col);
}

int NestedFrames::itemAt(const QPointF& point) const {
  if (const auto cell = layout_.reads.at(point)) return itemOf(*cell);
  const auto cell = layout_.writes.at(point);
  return cell ? itemOf({cell->row + layer_.hidden, cell->col}) : -1;
}

QString NestedFrames::itemText(int item) const {
  const auto [row, col] = cellOf(item);
  const bool reads = row < layer_.hidden;
  const int hidden = reads ? row : row - layer_.hidden;
  QStringList inside;
  for (const WidthTick& tick : ticks_)
    if (col < tick.width) inside << tick.name;
  const QString place =
      reads ? tr("%1: unit %2 reads hidden %3 times %4 (linear1, row %2, column %3)")
            : tr("%1: unit %2 writes into hidden %3 times %4 (linear2, row %3, column %2)");
  return place.arg(layer_.name)
             .arg(col + 1)
             .arg(hidden + 1)
             .arg(scale_.numberWithSign(double(value(row, col)))) +
         tr(". In %1; %2 the chosen width.")
             .arg(inside.join(QStringLiteral(", ")), col < width_ ? tr("inside") : tr("outside"));
}

QString NestedFrames::figureTitle() const {
  return tr("Feed-forward of %1, %2 of %3 units").arg(layer_.name).arg(width_).arg(layer_.units);
}

QRectF NestedFrames::edgeRect() const {
  if (layout_.frames.empty()) return {};
  const QRectF around = layout_.frames.back();
  return {layout_.edge(width_) - 1.5 * layout_.unit, around.top(), 3 * layout_.unit,
          around.height()};
}

std::optional<Qt::CursorShape> NestedFrames::handleAt(const QPointF& point) const {
  const double reach = kReach * style().scale();
  const bool on_edge = width_ > 0 && edgeRect().adjusted(-reach, 0, reach, 0).contains(point);
  return on_edge ? std::optional(Qt::SizeHorCursor) : std::nullopt;
}

QString NestedFrames::tipAt(const QPointF& point) const {
  return handleAt(point) ? tr("Drag to choose the width of this layer") : CellGrid::tipAt(point);
}

void NestedFrames::dragTo(const QPointF& point) {
  const double pitch = layout_.reads.cell_width;
  const double wanted = (point.x() - grip_ - layout_.reads.origin.x()) / pitch;
  const int width = snapped(std::clamp(int(std::lround(wanted)), 1, layer_.units), ticks_,
                            kSnap * style().scale() / pitch);
  if (width == width_) return;
  setWidth(width);
  emit widthDragged(width);
}

void NestedFrames::paintMatrices(QPainter& painter, const NestedFramesLayout& layout,
                                 const Palette& palette, CellDetail detail) const {
  const ColorTable colors(scale_, palette);
  const auto paint = [&](const CellPlaces& places, std::span<const float> values) {
    paintCells(painter, places,
               {.values = values, .masked = {}, .colors = colors, .averaged = false}, detail);
  };
  paint(layout.reads, layer_.reads);
  paint(layout.writes, layer_.writes);
}

void NestedFrames::paintAround(QPainter& painter, const NestedFramesLayout& layout,
                               const Palette& palette) const {
  QColor veil = palette.ground;
  veil.setAlpha(kFadedAlpha);
  for (const CellPlaces& places : {layout.reads, layout.writes}) {
    QRectF outside = places.bounds();
    outside.setLeft(layout.edge(width_));
    if (width_ < layer_.units) painter.fillRect(outside, veil);
  }
  painter.setRenderHint(QPainter::Antialiasing);
  const QFont font = style().textFont(12);
  painter.setFont(font);
  painter.setPen(palette.muted);
  const auto write = [&](const QRectF& area, const QString& text) {
    painter.drawText(area, Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetricsF(font).elidedText(text, Qt::ElideRight, area.width()));
  };
  write(layout.reads_title, tr("what each unit reads: linear1, transposed"));
  write(layout.writes_title, tr("what it writes: linear2"));
  painter.setFont(style().numberFont(10.5));
  paintHorizontalLegend(painter, layout.legend, scale_, layout.unit, palette);
  paintFrames(painter, layout, palette);
}

void NestedFrames::paintFrames(QPainter& painter, const NestedFramesLayout& layout,
                               const Palette& palette) const {
  painter.setBrush(Qt::NoBrush);
  for (std::size_t i = ticks_.size(); i-- > 0;) {
    const bool chosen = ticks_[i].width == width_;
    painter.setPen(
        QPen(chosen ? palette.accent : palette.muted, (chosen ? 2.0 : 1.2) * layout.unit));
    painter.drawRect(layout.frames[i]);
    if (layout.labels[i].isEmpty()) continue;
    painter.setFont(style().textFont(12, chosen ? QFont::Bold : QFont::DemiBold));
    painter.setPen(chosen ? palette.accent : palette.text);
    painter.drawText(layout.labels[i], Qt::AlignRight | Qt::AlignBottom | Qt::TextDontClip,
                     ticks_[i].name);
  }
}

void NestedFrames::paintFigure(QPainter& painter, const QRectF& area,
                               const Palette& palette) const {
  if (itemCount() == 0) return;
  const NestedFramesLayout layout = layoutIn(area);
  paintMatrices(painter, layout, palette, paperDetail(layer_.reads.size()));
  paintAround(painter, layout, palette);
}

DataTable NestedFrames::figureData() const {
  DataTable table{{"matrix", "unit", "hidden", "value", "inside"}, {}};
  for (int row = 0; row < 2 * layer_.hidden; ++row)
    for (int col = 0; col < layer_.units; ++col)
      table.rows.push_back({row < layer_.hidden ? "linear1" : "linear2", QString::number(col),
                            QString::number(row % layer_.hidden),
                            fullPrecision(double(value(row, col))), col < width_ ? "1" : "0"});
  return table;
}

void NestedFrames::paintItems(QPainter& painter) {
  paintMatrices(painter, layout_, style().palette(), CellDetail::Screen);
}

void NestedFrames::paintOver(QPainter& painter) {
  const Palette& palette = style().palette();
  const double unit = style().scale();
  paintAround(painter, layout_, palette);
  const QRectF edge = edgeRect();
  painter.setPen(Qt::NoPen);
  painter.setBrush(palette.accent);
  painter.drawRect(edge);
  painter.drawRoundedRect(QRectF(edge.center().x() - 4 * unit,
                                 layout_.writes.origin.y() - 20 * unit, 8 * unit, 18 * unit),
                          3 * unit, 3 * unit);
  CellGrid::paintOver(painter);
}

}  // namespace tfm::ui
