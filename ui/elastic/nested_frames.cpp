// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/elastic/nested_frames.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/elastic/nested_frames_painter.h"
#include "ui/elastic/width_bar.h"
#include "ui/figure/number_text.h"
#include "ui/heatmap/legend.h"
#include "ui/style/style.h"

namespace tfm::ui {
namespace {

constexpr double kLargestRow = 44.0;

double gapFor(double pitch, double unit) { return pitch >= 7.0 * unit ? 1.0 : 0.0; }

}  // namespace

NestedFrames::NestedFrames(const Style& style, QWidget* parent)
    : CellWidget(parent), style_(style) {
  connect(&style, &Style::changed, this, [this] {
    layOutAgain();
    updateGeometry();
  });
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
  layOutAgain();
}

void NestedFrames::setTicks(std::vector<WidthTick> ticks) {
  if (ticks == ticks_) return;
  ticks_ = std::move(ticks);
  layOutAgain();
}

void NestedFrames::setWidth(int width) {
  if (width == width_) return;
  width_ = width;
  update();
}

float NestedFrames::value(int row, int col) const {
  const auto& values = row < layer_.hidden ? layer_.reads : layer_.writes;
  return values[std::size_t(row % layer_.hidden) * std::size_t(layer_.units) + std::size_t(col)];
}

NestedFramesLayout NestedFrames::layOut(const QRectF& area) const {
  NestedFramesLayout out;
  out.unit = style_.scale();
  if (isEmpty()) return out;
  const double unit = out.unit, around = kWidthBarEnd * unit;
  const double line = QFontMetricsF(style_.textFont(12)).height();
  const double head = 2 * line + around, middle = 22.0 * unit;
  const double foot = around + 2 * line + 8.0 * unit;
  const double room_x = area.width() - 2 * around;
  const double room_y = (area.height() - head - middle - foot) / 2;
  // Columns fill the width, so that a slider below has its ticks at the frames.
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
  const QFontMetricsF names(style_.textFont(12, QFont::Bold));
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

void NestedFrames::layOutAgain() {
  layout_ = layOut(rect());
  cells_ = QPixmap();
  update();
}

QRectF NestedFrames::cellRect(int row, int col) const {
  return row < layer_.hidden ? layout_.reads.cell(row, col)
                             : layout_.writes.cell(row - layer_.hidden, col);
}

std::optional<Cell> NestedFrames::cellAt(const QPointF& place) const {
  if (const auto cell = layout_.reads.at(place)) return cell;
  auto cell = layout_.writes.at(place);
  if (cell) cell->row += layer_.hidden;
  return cell;
}

QString NestedFrames::describe(int row, int col) const {
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
             .arg(inside.join(QStringLiteral(", ")),
                  col < width_ ? tr("inside") : tr("outside of"));
}

QString NestedFrames::figureTitle() const {
  return tr("Feed-forward of %1, %2 of %3 units").arg(layer_.name).arg(width_).arg(layer_.units);
}

QSizeF NestedFrames::figureSize() const {
  const double unit = style_.scale();
  return {420 * unit, 460 * unit};
}

QSize NestedFrames::minimumSizeHint() const { return {style_.px(200), style_.px(190)}; }

QRectF NestedFrames::edgeRect() const {
  if (isEmpty() || layout_.frames.empty()) return {};
  const QRectF around = layout_.frames.back();
  return {layout_.edge(width_) - 1.5 * layout_.unit, around.top(), 3 * layout_.unit,
          around.height()};
}

void NestedFrames::paintCells(QPainter& painter, const NestedFramesLayout& layout,
                              const Palette& palette) const {
  const ColorTable colors(scale_, palette);
  paintNestedCells(painter, layer_.reads, layout.reads, colors);
  paintNestedCells(painter, layer_.writes, layout.writes, colors);
}

void NestedFrames::paintAround(QPainter& painter, const NestedFramesLayout& layout,
                               const Palette& palette) const {
  paintOutside(painter, layout, width_, layer_.units, palette);
  painter.setRenderHint(QPainter::Antialiasing);
  const QFont font = style_.textFont(12);
  const auto write = [&](const QRectF& area, const QString& text) {
    painter.setFont(font);
    painter.setPen(palette.muted);
    painter.drawText(area, Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetricsF(font).elidedText(text, Qt::ElideRight, area.width()));
  };
  write(layout.reads_title, tr("what each unit reads: linear1, turned"));
  write(layout.writes_title, tr("what it writes: linear2"));
  paintFrames(painter, layout, ticks_, width_, style_, palette);
  painter.setFont(style_.numberFont(10.5));
  painter.setPen(palette.muted);
  paintLyingLegend(painter, layout.legend, scale_, layout.unit, palette);
}

void NestedFrames::paintFigure(QPainter& painter, const QRectF& area,
                               const Palette& palette) const {
  if (isEmpty()) return;
  const NestedFramesLayout layout = layOut(area);
  painter.save();
  paintCells(painter, layout, palette);
  paintAround(painter, layout, palette);
  painter.restore();
}

DataTable NestedFrames::figureData() const {
  DataTable table{{"matrix", "unit", "hidden", "value", "inside"}, {}};
  for (int row = 0; row < rowCount(); ++row)
    for (int col = 0; col < colCount(); ++col)
      table.rows.push_back({row < layer_.hidden ? "linear1" : "linear2", QString::number(col),
                            QString::number(row % layer_.hidden),
                            fullPrecision(double(value(row, col))), col < width_ ? "1" : "0"});
  return table;
}

void NestedFrames::paintEvent(QPaintEvent*) {
  if (isEmpty()) return;
  const Palette& palette = style_.palette();
  if (cells_.isNull() || cells_.devicePixelRatio() != devicePixelRatioF()) {
    cells_ = QPixmap((QSizeF(size()) * devicePixelRatioF()).toSize());
    cells_.setDevicePixelRatio(devicePixelRatioF());
    cells_.fill(Qt::transparent);
    QPainter own(&cells_);
    paintCells(own, layout_, palette);
  }
  QPainter painter(this);
  painter.drawPixmap(0, 0, cells_);
  paintAround(painter, layout_, palette);
  paintOverlay(painter);
}

void NestedFrames::paintOverlay(QPainter& painter) const {
  const Palette& palette = style_.palette();
  const double unit = style_.scale();
  const QRectF edge = edgeRect();
  painter.setPen(Qt::NoPen);
  painter.setBrush(palette.accent);
  painter.drawRect(edge);
  painter.drawRoundedRect(QRectF(edge.center().x() - 4 * unit,
                                 layout_.writes.origin.y() - 20 * unit, 8 * unit, 18 * unit),
                          3 * unit, 3 * unit);
  painter.setBrush(Qt::NoBrush);
  const auto frame = [&](const Cell& cell, const QColor& color) {
    const double out = layout_.reads.cell_width >= 12 * unit ? 0.0 : 3.0 * unit;
    const QRectF area = cellRect(cell.row, cell.col).adjusted(-out, -out, out, out);
    painter.setPen(QPen(palette.ground, 4.5 * unit));
    painter.drawRect(area);
    painter.setPen(QPen(color, 2.5 * unit));
    painter.drawRect(area);
  };
  if (lock().hovered() && lock().hovered() != lock().locked())
    frame(*lock().hovered(), palette.text);
  if (lock().locked()) frame(*lock().locked(), palette.mark);
  if (!hasFocus()) return;
  painter.setPen(QPen(palette.accent, 2 * unit));
  painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 4 * unit, 4 * unit);
}

}  // namespace tfm::ui
