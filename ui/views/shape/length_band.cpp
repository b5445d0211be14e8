// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/shape/length_band.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "core/base/check.h"
#include "ui/figure/number_text.h"
#include "ui/heatmap/legend.h"
#include "ui/style/style.h"
#include "ui/views/shape/shape_words.h"

namespace tfm::ui {
namespace {

constexpr double kPlateRoom = 4.0;  // around the cells of a plate
constexpr double kShare = 0.99;     // of the values that the colours tell apart
constexpr double kText = 12.0, kSmallText = 9.0;
constexpr int kLabelRow = 26;     // higher rows have no larger labels
constexpr double kLegible = 0.9;  // of the line height: rows as high as this have labels
constexpr double kLeastRow = 2.0, kLeastOutline = 0.5;

}  // namespace

LengthBand::LengthBand(const Style& style, QWidget* parent) : CellGrid(style, parent) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  setZooms();
}

void LengthBand::setStages(std::vector<observe::StackStage> stages, QStringList tokens) {
  if (stages == stages_ && tokens == tokens_) return;
  const bool same = std::ranges::equal(stages, stages_, [](const auto& a, const auto& b) {
    return a.length == b.length && a.from == b.from;
  });
  if (!same) {
    free();
    hover(std::nullopt);
  }
  stages_ = std::move(stages);
  tokens_ = std::move(tokens);
  values_.clear();
  items_ = BandItems(stages_);
  arrange();
  updateGeometry();
}

void LengthBand::setValues(std::vector<std::vector<float>> values) {
  check(values.empty() || values.size() == stages_.size(), "every stage has its states");
  MagnitudeHistogram magnitudes;
  for (std::size_t i = 0; i < values.size(); ++i) {
    check(std::int64_t(values[i].size()) == stages_[i].length * stages_[i].width,
          "the states fit the stage");
    magnitudes.add(values[i]);
  }
  values_ = std::move(values);
  scale_ = ColorScale::signedTo(niceLimit(magnitudes.quantile(kShare)));
  repaintItems();
}

QString LengthBand::labelOf(std::size_t stage, std::int64_t position) const {
  return ShapeWords::held(tokens_, stages_, stage, position);
}

QString LengthBand::itemText(int item) const {
  const std::size_t stage = items_.stageOf(item);
  const std::int64_t position = items_.positionOf(item);
  QString text = tr("%1, %2, position %3 of %4")
                     .arg(ShapeWords::stageName(stages_[stage]), labelOf(stage, position))
                     .arg(position + 1)
                     .arg(stages_[stage].length);
  if (!values_.empty()) {
    double squares = 0.0;
    const auto width = std::size_t(stages_[stage].width);
    for (std::size_t i = 0; i < width; ++i) {
      const auto value = double(values_[stage][std::size_t(position) * width + i]);
      squares += value * value;
    }
    text += tr(", norm %1").arg(shortNumber(std::sqrt(squares)));
  }
  return text + QStringLiteral(". ") + ShapeWords::made(stages_, stage, position);
}

LengthBandLayout LengthBand::layoutIn(const QRectF& area) const {
  const double longest = fitRowLabels(tokens_, style().px(kLabelRow), style()).extent;
  return layOutLengthBand(
      stages_, {area, style().scale(), longest, QFontMetricsF(style().textFont(12)).height(),
                (tokens_.isEmpty() ? kLeastOutline : kLeastRow) * style().scale()});
}

void LengthBand::layOut() {
  layout_ = layoutIn(QRectF(QPointF(), QSizeF(viewport()->size()) * zoom()));
  setContentSize(layout_.size);
}

QRectF LengthBand::itemArea(int item) const {
  return layout_.position(items_.stageOf(item), items_.positionOf(item));
}

int LengthBand::itemAt(const QPointF& point) const {
  for (std::size_t stage = 0; stage < layout_.plates.size(); ++stage)
    if (const auto cell = layout_.plates[stage].at(point)) return items_.of(stage, cell->row);
  return -1;
}

int LengthBand::stepFrom(int item, const Cell& step) const {
  if (item < 0) return 0;
  const std::size_t stage = items_.stageOf(item);
  const std::int64_t position = items_.positionOf(item);
  if (step.row != 0)
    return items_.of(stage,
                     std::clamp<std::int64_t>(position + step.row, 0, stages_[stage].length - 1));
  if (step.col < 0 ? stage == 0 : stage + 1 == stages_.size()) return -1;
  // To a position that has to do with this one, if there is any.
  const std::size_t to = step.col < 0 ? stage - 1 : stage + 1;
  const auto found = observe::relatives(stages_, stage, position, to);
  return items_.of(to, found.empty() ? std::min(position, stages_[to].length - 1) : found.front());
}

void LengthBand::paintStages(QPainter& painter, const LengthBandLayout& layout,
                             const Palette& palette, CellDetail detail) const {
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  QColor band = palette.positive;
  band.setAlpha(36);
  painter.setBrush(band);
  for (const QPolygonF& polygon : layout.bands) painter.drawPolygon(polygon);
  const ColorTable colors(scale_, palette);
  const double room = kPlateRoom * layout.unit;
  for (std::size_t i = 0; i < stages_.size(); ++i) {
    const QRectF plate = layout.plates[i].bounds().adjusted(-room, -room, room, room);
    painter.setPen(QPen(palette.line, layout.unit));
    painter.setBrush(palette.raised);
    painter.drawRoundedRect(plate, 2 * room, 2 * room);
    if (!values_.empty()) {
      paintCells(painter, layout.plates[i], {values_[i], {}, colors}, detail);
      painter.setRenderHint(QPainter::Antialiasing);
      continue;
    }
    const bool apart = layout.plates[i].cell_height >= room;
    for (int row = 1; apart && row < layout.plates[i].rows; ++row) {
      const QRectF line = layout.position(i, row);
      painter.drawLine(line.topLeft(), line.topRight());
    }
  }
}

void LengthBand::paintWords(QPainter& painter, const LengthBandLayout& layout,
                            const Palette& palette) const {
  const double unit = layout.unit;
  const QFont text = style().textFont(12), number = style().numberFont(12);
  const double line = QFontMetricsF(text).height();
  for (std::size_t i = 0; i < stages_.size(); ++i) {
    const QRectF plate = layout.plates[i].bounds();
    const QRectF below(plate.left() - 40 * unit, layout.caption_top, plate.width() + 80 * unit,
                       line);
    painter.setPen(palette.muted);
    painter.setFont(text);
    painter.drawText(below, Qt::AlignHCenter | Qt::AlignVCenter,
                     ShapeWords::shortStageName(stages_[i]));
    painter.setFont(number);
    painter.drawText(below.translated(0, line), Qt::AlignHCenter | Qt::AlignVCenter,
                     QStringLiteral("%1 × %2").arg(stages_[i].length).arg(stages_[i].width));
    if (i == 0) continue;
    const QString change = ShapeWords::change(stages_[i - 1].length, stages_[i].length);
    const QRectF from = layout.plates[i - 1].bounds();
    painter.setFont(text);
    painter.setPen(palette.text);
    if (!change.isEmpty())
      painter.drawText(
          QRectF(from.right(), from.center().y() - line / 2, plate.left() - from.right(), line),
          Qt::AlignCenter | Qt::TextDontClip, change);
    if (stages_[i].added < 0) continue;
    const QRectF source = layout.plates[std::size_t(stages_[i].added)].bounds();
    QPainterPath arc(source.center() - QPointF(0, source.height() / 2 + 6 * unit));
    const QPointF end = plate.center() - QPointF(0, plate.height() / 2 + 6 * unit);
    const double high = 2 * layout.arc_top - arc.currentPosition().y();
    arc.cubicTo({arc.currentPosition().x() + 40 * unit, high}, {end.x() - 40 * unit, high}, end);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(palette.muted, 1.4 * unit));
    painter.drawPath(arc);
    painter.setPen(palette.text);
    painter.drawText(
        QRectF(source.center().x(), layout.arc_top - line / 2, end.x() - source.center().x(), line),
        Qt::AlignHCenter | Qt::AlignBottom | Qt::TextDontClip,
        ShapeWords::added(stages_[std::size_t(stages_[i].added)]));
  }
  if (values_.empty()) return;
  painter.setFont(style().numberFont(10.5));
  painter.setPen(palette.muted);
  paintHorizontalLegend(painter,
                        {layout.plates.front().origin.x(), layout.legend_top, 200 * unit, line},
                        scale_, unit, palette);
}

void LengthBand::paintLabels(QPainter& painter, const LengthBandLayout& layout,
                             const Palette& palette, int item, Emphasis emphasis) const {
  if (tokens_.size() != int(stages_.front().length)) return;
  std::vector<std::int64_t> held;
  if (item >= 0)
    held = observe::relatives(stages_, items_.stageOf(item), items_.positionOf(item), 0);
  const CellPlaces& first = layout.plates.front();
  const double space = first.origin.x() - layout.label_edge;
  if (first.cell_height >= kLegible * QFontMetricsF(style().numberFont(kSmallText)).height())
    return paintRowLabels(
        painter,
        fitRowLabels(tokens_, std::min<double>(first.cell_height, style().px(kLabelRow)), style()),
        first, space, palette, [&](int index) {
          const bool lit = std::ranges::find(held, index) != held.end();
          return lit ? emphasis : Emphasis::None;
        });
  // In a long text only what is pointed at has room.
  if (held.empty()) return;
  const double y = (first.rowCentre(int(held.front())) + first.rowCentre(int(held.back()))) / 2;
  const QFont font = style().numberFont(kText);
  const double width = layout.label_edge, height = QFontMetricsF(font).height();
  painter.setFont(font);
  painter.setPen(labelColor(palette, emphasis));
  painter.drawText(
      QRectF(0, y - height / 2, width, height), Qt::AlignRight | Qt::AlignVCenter,
      QFontMetricsF(font).elidedText(labelOf(items_.stageOf(item), items_.positionOf(item)),
                                     Qt::ElideMiddle, width));
}

void LengthBand::paintRelatives(QPainter& painter, const LengthBandLayout& layout, int item,
                                const QColor& color, const Palette& palette) const {
  const std::size_t own = items_.stageOf(item);
  std::vector<std::vector<std::int64_t>> shown;
  for (std::size_t stage = 0; stage < stages_.size(); ++stage)
    shown.push_back(observe::relatives(stages_, own, items_.positionOf(item), stage));
  QColor faint = color;
  faint.setAlphaF(0.7F);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(faint, 1.4 * layout.unit));
  for (std::size_t stage = 1; stage < stages_.size(); ++stage)
    for (const std::int64_t to : shown[stage])
      for (const std::int64_t from : stages_[stage].from[std::size_t(to)]) {
        if (std::ranges::find(shown[stage - 1], from) == shown[stage - 1].end()) continue;
        const QRectF a = layout.position(stage - 1, from), b = layout.position(stage, to);
        const QPointF start(a.right(), a.center().y()), end(b.left(), b.center().y());
        const double half = (end.x() - start.x()) / 2;
        QPainterPath path(start);
        path.cubicTo(start + QPointF(half, 0), end - QPointF(half, 0), end);
        painter.drawPath(path);
      }
  for (std::size_t stage = 0; stage < stages_.size(); ++stage)
    for (const std::int64_t position : shown[stage])
      paintItemFrame(painter, layout.position(stage, position), color, stage == own ? 2.5 : 1.5,
                     palette, layout.unit);
}

void LengthBand::paintItems(QPainter& painter) {
  paintStages(painter, layout_, style().palette(), CellDetail::Screen);
  paintWords(painter, layout_, style().palette());
}

void LengthBand::paintOver(QPainter& painter) {
  const Palette& palette = style().palette();
  const int item = shownItem();
  const bool locked = lockedItem() >= 0;
  paintLabels(painter, layout_, palette, item, locked ? Emphasis::Locked : Emphasis::Hovered);
  if (item >= 0)
    paintRelatives(painter, layout_, item, locked ? palette.mark : palette.text, palette);
  CellGrid::paintOver(painter);
}

QSizeF LengthBand::figureSize() const {
  return layoutIn({0, 0, style().scale() * 1100, style().scale() * 480}).size;
}

void LengthBand::paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const {
  if (stages_.empty()) return;
  const LengthBandLayout layout = layoutIn(area);
  std::size_t cells = 0;
  for (const auto& states : values_) cells += states.size();
  paintStages(painter, layout, palette, paperDetail(cells));
  paintWords(painter, layout, palette);
  paintLabels(painter, layout, palette, lockedItem(), Emphasis::Locked);
  if (lockedItem() >= 0) paintRelatives(painter, layout, lockedItem(), palette.mark, palette);
}

DataTable LengthBand::figureData() const {
  DataTable table{{"stage", "position", "label", "component", "value"}, {}};
  for (std::size_t stage = 0; stage < stages_.size(); ++stage)
    for (std::int64_t position = 0; position < stages_[stage].length; ++position) {
      const QStringList place{ShapeWords::stageName(stages_[stage]), QString::number(position),
                              labelOf(stage, position)};
      if (values_.empty()) table.rows.push_back(place + QStringList{QString(), QString()});
      const std::int64_t width = values_.empty() ? 0 : stages_[stage].width;
      for (std::int64_t i = 0; i < width; ++i)
        table.rows.push_back(
            place +
            QStringList{QString::number(i),
                        fullPrecision(double(values_[stage][std::size_t(position * width + i)]))});
    }
  return table;
}

}  // namespace tfm::ui
