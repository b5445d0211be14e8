// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/shape/width_strands.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>

#include "ui/heatmap/legend.h"
#include "ui/style/style.h"
#include "ui/views/shape/shape_words.h"

namespace tfm::ui {
namespace {

constexpr double kStrandShare = 0.99;  // of the values that the colours tell apart

/// The colour of a group; of the only one, that of a whole.
QColor colorOf(const observe::PassedMap& map, std::int64_t group, const Palette& palette) {
  if (map.groups == 1) return palette.muted;
  return palette.series[std::size_t(group) % palette.series.size()];
}

QPainterPath curve(const QPointF& from, const QPointF& to) {
  const double half = (to.x() - from.x()) / 2;
  QPainterPath path(from);
  path.cubicTo(from + QPointF(half, 0), to - QPointF(half, 0), to);
  return path;
}

}  // namespace

WidthStrands::WidthStrands(const Style& style, QWidget* parent) : CellGrid(style, parent) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  setZooms();
}

void WidthStrands::setStages(const std::vector<observe::StackStage>& stages) {
  std::vector<StrandChain> chains = chainsOf(stages);
  const bool same = std::ranges::equal(chains, chains_, [](const auto& a, const auto& b) {
    return a.layer == b.layer && a.maps == b.maps;
  });
  if (same) return;
  free();
  hover(std::nullopt);
  chains_ = std::move(chains);
  values_.clear();
  arrange();
  updateGeometry();
}

void WidthStrands::setValues(std::map<std::string, std::vector<float>> values) {
  MagnitudeHistogram magnitudes;
  for (const auto& [name, numbers] : values) magnitudes.add(numbers);
  values_ = std::move(values);
  scale_ = ColorScale::signedTo(niceLimit(magnitudes.quantile(kStrandShare)));
  repaintItems();
}

QString WidthStrands::strandText(int item) const {
  const Strand& strand = layout_.strands[std::size_t(item)];
  return ShapeWords::strand(chains_[strand.chain], strand.map, strand.group);
}

StrandLayout WidthStrands::layoutIn(const QRectF& area) const {
  return layOutStrands(chains_,
                       {area, style().scale(), QFontMetricsF(style().textFont(12)).height()});
}

void WidthStrands::layOut() {
  layout_ = layoutIn(QRectF(QPointF(), QSizeF(viewport()->size()) * zoom()));
  setContentSize(layout_.size);
}

QRectF WidthStrands::itemArea(int item) const {
  return layout_.strands[std::size_t(item)].shape.boundingRect();
}

int WidthStrands::itemAt(const QPointF& point) const {
  const auto found = std::ranges::find_if(layout_.strands, [&](const Strand& strand) {
    return strand.shape.containsPoint(point, Qt::OddEvenFill);
  });
  return found == layout_.strands.end() ? -1 : int(found - layout_.strands.begin());
}

int WidthStrands::stepFrom(int item, const Cell& step) const {
  if (item < 0) return 0;
  const Strand& from = layout_.strands[std::size_t(item)];
  // Up and down through the groups of a map, right and left to the nearest of another map.
  int best = -1;
  double nearest = 0.0;
  const QPointF centre = from.shape.boundingRect().center();
  for (int i = 0; i < itemCount(); ++i) {
    const Strand& strand = layout_.strands[std::size_t(i)];
    const bool same = strand.chain == from.chain && strand.map == from.map;
    if (step.row != 0) {
      if (same && strand.group == from.group + step.row) return i;
      continue;
    }
    const bool beyond = step.col > 0 ? i > item : i < item;
    if (same || !beyond) continue;
    const QPointF way = strand.shape.boundingRect().center() - centre;
    const double far = QPointF::dotProduct(way, way);
    if (best < 0 || far < nearest) {
      best = i;
      nearest = far;
    }
  }
  return best;
}

void WidthStrands::paintColumn(QPainter& painter, const QRectF& column, const std::string& tensor,
                               std::int64_t width, const ColorTable& colors, const Palette& palette,
                               CellDetail detail) const {
  const auto found = values_.find(tensor);
  const bool whole = found != values_.end() && width > 0 && !found->second.empty() &&
                     std::int64_t(found->second.size()) % width == 0;
  if (whole) {
    const std::vector<float>& rows = found->second;
    const std::size_t components = std::size_t(width), positions = rows.size() / components;
    std::vector<float> turned(rows.size());
    for (std::size_t p = 0; p < positions; ++p)
      for (std::size_t c = 0; c < components; ++c)
        turned[c * positions + p] = rows[p * components + c];
    CellPlaces places;
    places.origin = column.topLeft();
    places.rows = int(components);
    places.cols = int(positions);
    places.cell_width = column.width() / double(positions);
    places.cell_height = column.height() / double(components);
    paintCells(painter, places, {turned, {}, colors}, detail);
    painter.setRenderHint(QPainter::Antialiasing);
  }
  painter.setPen(QPen(whole ? palette.line : palette.muted, 1.0));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(column);
}

void WidthStrands::paintStrands(QPainter& painter, const StrandLayout& layout,
                                const Palette& palette, CellDetail detail) const {
  painter.setRenderHint(QPainter::Antialiasing);
  for (const Strand& strand : layout.strands) {
    QColor color = colorOf(mapOf(strand), strand.group, palette);
    painter.setPen(QPen(color, layout.unit));
    color.setAlpha(values_.empty() ? 60 : 150);
    painter.setBrush(color);
    painter.drawPolygon(strand.shape);
  }
  painter.setBrush(Qt::NoBrush);
  for (const Crossing& crossing : layout.crossings) {
    const Strand& strand = layout.strands[crossing.strand];
    painter.setPen(QPen(colorOf(mapOf(strand), strand.group, palette), 0.9 * layout.unit));
    painter.drawPath(curve(crossing.from, crossing.to));
  }
  const ColorTable colors(scale_, palette);
  for (std::size_t i = 0; i < chains_.size(); ++i) {
    const ChainPlace& place = layout.chains[i];
    const auto& maps = chains_[i].maps;
    paintColumn(painter, place.columns.front(), maps.front().input, maps.front().inputs, colors,
                palette, detail);
    for (std::size_t m = 0; m < maps.size(); ++m)
      paintColumn(painter, place.columns[m + 1], maps[m].output, maps[m].outputs, colors, palette,
                  detail);
    if (place.joints.empty()) continue;
    const auto joined = std::ranges::max(maps, {}, &observe::PassedMap::joined).joined;
    const QRectF& first = place.columns[maps.front().outputs == joined ? 1 : 0];
    QPainterPath mixer(QPointF(first.center().x(), first.bottom()));
    mixer.lineTo(first.center().x(), place.lane);
    mixer.lineTo(place.joints.back().x(), place.lane);
    for (const QPointF& joint : place.joints) {
      mixer.moveTo(joint.x(), place.lane);
      mixer.lineTo(joint);
    }
    painter.setPen(QPen(palette.muted, 1.2 * layout.unit));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(mixer);
  }
}

void WidthStrands::paintWords(QPainter& painter, const StrandLayout& layout,
                              const Palette& palette) const {
  const QFont text = style().textFont(12), number = style().numberFont(10.5);
  for (std::size_t i = 0; i < chains_.size(); ++i) {
    const QRectF caption = layout.chains[i].caption;
    const QRectF first(caption.topLeft(), QSizeF(caption.width(), caption.height() / 2));
    const auto write = [&](const QRectF& area, const QFont& font, const QColor& color,
                           const QString& words) {
      painter.setFont(font);
      painter.setPen(color);
      painter.drawText(
          area, Qt::AlignHCenter | Qt::AlignVCenter,
          QFontMetricsF(font).elidedText(words, Qt::ElideMiddle, area.width() - 4 * layout.unit));
    };
    write(first, text, palette.text, ShapeWords::chainName(chains_[i]));
    write(first.translated(0, first.height()), number, palette.muted,
          ShapeWords::widths(chains_[i]));
  }
  if (values_.empty() || layout.chains.empty()) return;
  painter.setFont(number);
  painter.setPen(palette.muted);
  paintHorizontalLegend(painter,
                        {layout.chains.front().area.left(), layout.legend_top, 200 * layout.unit,
                         QFontMetricsF(text).height()},
                        scale_, layout.unit, palette);
}

void WidthStrands::paintChosen(QPainter& painter, const StrandLayout& layout, int item,
                               const QColor& color, const Palette& palette) const {
  const Strand& strand = layout.strands[std::size_t(item)];
  painter.setBrush(Qt::NoBrush);
  for (const QPen& pen :
       {QPen(palette.ground, 4.5 * layout.unit), QPen(color, 2.5 * layout.unit)}) {
    painter.setPen(pen);
    painter.drawPolygon(strand.shape);
  }
  painter.setPen(QPen(color, 1.8 * layout.unit));
  for (const Crossing& crossing : layout.crossings)
    if (crossing.strand == std::size_t(item)) painter.drawPath(curve(crossing.from, crossing.to));
}

void WidthStrands::paintItems(QPainter& painter) {
  paintStrands(painter, layout_, style().palette(), CellDetail::Screen);
  paintWords(painter, layout_, style().palette());
}

void WidthStrands::paintOver(QPainter& painter) {
  const Palette& palette = style().palette();
  if (shownItem() < 0) return CellGrid::paintOver(painter);  // the frame of the focus
  paintChosen(painter, layout_, shownItem(), lockedItem() >= 0 ? palette.mark : palette.text,
              palette);
}

QSizeF WidthStrands::figureSize() const {
  return layoutIn({0, 0, style().scale() * 1100, style().scale() * 480}).size;
}

void WidthStrands::paintFigure(QPainter& painter, const QRectF& area,
                               const Palette& palette) const {
  if (chains_.empty()) return;
  const StrandLayout layout = layoutIn(area);
  std::size_t cells = 0;
  for (const auto& [name, numbers] : values_) cells += numbers.size();
  paintStrands(painter, layout, palette, paperDetail(cells));
  paintWords(painter, layout, palette);
  if (lockedItem() >= 0) paintChosen(painter, layout, lockedItem(), palette.mark, palette);
}

DataTable WidthStrands::figureData() const {
  DataTable table{{"layer", "map", "inputs", "joined", "outputs", "groups", "shuffled"}, {}};
  for (const StrandChain& chain : chains_)
    for (const observe::PassedMap& map : chain.maps)
      table.rows.push_back({QString::number(chain.layer + 1), QString::fromStdString(map.output),
                            QString::number(map.inputs), QString::number(map.joined),
                            QString::number(map.outputs), QString::number(map.groups),
                            QString::number(map.shuffled ? 1 : 0)});
  return table;
}

}  // namespace tfm::ui
