// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/flow/flow_painter.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <array>
#include <cmath>

#include "core/model/build_program.h"
#include "core/observe/attention_stage.h"
#include "ui/figure/number_text.h"
#include "ui/figure/token_text.h"
#include "ui/heatmap/cell_grid.h"
#include "ui/style/style.h"
#include "ui/views/flow/flow_parts.h"
#include "ui/views/flow/flow_words.h"

namespace tfm::ui {
namespace {

using observe::kNoNode;
using observe::MapNode;
using observe::NumberPlace;

constexpr double kQuantile = 0.99;       // of the numbers that the colours tell apart
constexpr std::int64_t kSampled = 4096;  // numbers that a scale is found from
constexpr double kStreamWidth = 12.0;
constexpr double kLabelGap = 5.0;  // between a tile and the labels of its rows
constexpr double kMostWords = 1.4;
constexpr double kCaptionRoom = 10.0;    // beside a tile, for the words below it
constexpr std::size_t kMostFrames = 24;  // of single numbers in one picture

/// A share of a whole: cividis from 0 to 1.
bool isShare(const FlowRun& run, TensorId id) {
  using enum observe::AttentionStage;
  const auto stage = observe::attentionStageOf(run.program(), id);
  return run.info(id).name == names::kProbabilities || stage == Softmax || stage == Probabilities ||
         stage == Dropped;
}

}  // namespace

QColor axisColor(const Palette& palette, const std::string& axis) {
  static const std::array<const char*, 5> kNamed{"position", "hidden", "feed-forward", "vocabulary",
                                                 "head"};
  for (std::size_t i = 0; i < kNamed.size(); ++i)
    if (axis.ends_with(kNamed[i])) return palette.series[i];
  if (axis.ends_with("key")) return palette.key;
  if (axis.ends_with("value")) return palette.value;
  return palette.muted;
}

void FlowScales::reset(FlowRun* run, FlowSide side) {
  run_ = run;
  side_ = side;
  scales_.clear();
}

const ColorScale& FlowScales::of(TensorId tensor) {
  const auto known = scales_.find(tensor);
  if (known != scales_.end()) return known->second;
  ColorScale scale = ColorScale::signedTo(1.0);
  if (side_ == FlowSide::Values && !run_->isDifference() && isShare(*run_, tensor)) {
    scale = ColorScale::sequential();
  } else {
    const TensorInfo& t = run_->info(tensor);
    const std::int64_t count = t.rows * t.cols;
    const std::int64_t stride = std::max<std::int64_t>(1, count / kSampled);
    std::vector<float> sample;
    for (std::int64_t i = 0; i < count; i += stride)
      sample.push_back(run_->number(tensor, i / t.cols, i % t.cols, side_));
    MagnitudeHistogram magnitudes;
    magnitudes.add(sample);
    scale = ColorScale::signedTo(niceLimit(magnitudes.quantile(kQuantile)));
  }
  return scales_.emplace(tensor, scale).first->second;
}

void FlowPainter::paint(QPainter& painter) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  paintStream(painter);
  paintCards(painter);
  paintCurves(painter);
  for (const FlowTile& tile : layout_.tiles)
    if (tile.area.adjusted(-40, -40, 40, 40).intersects(look_.visible)) paintTile(painter, tile);
  painter.restore();
}

/// Words grow less than the picture, where it is numbers that one wants to read.
double FlowPainter::textUnit() const {
  return std::min(layout_.unit, kMostWords * look_.style.scale());
}

void FlowPainter::paintStream(QPainter& painter) const {
  const double unit = layout_.unit;
  QColor band = look_.palette.positive;
  band.setAlpha(56);
  painter.setPen(QPen(band, kStreamWidth * unit, Qt::SolidLine, Qt::FlatCap));
  painter.setBrush(Qt::NoBrush);
  for (const FlowStream& stream : layout_.streams) {
    painter.drawPath(stream.link);
    double x = stream.from.x();
    const double y = stream.from.y();
    for (const FlowTile& tile : layout_.tiles) {
      const QRectF cells = tile.places.bounds();
      if (!tile.row_labels || cells.top() > y || cells.bottom() < y || cells.left() < x ||
          cells.left() > stream.to.x())
        continue;
      painter.drawLine(QPointF(x, y), QPointF(rowLabelsLeft(tile), y));  // it passes behind none
      x = cells.left();
    }
    painter.drawLine(QPointF(x, y), stream.to);
  }
}

QFont FlowPainter::labelFont(const FlowTile& tile) const {
  return Style::numberFace(std::min(11 * textUnit(), tile.places.cell_height));
}

double FlowPainter::rowLabelsLeft(const FlowTile& tile) const {
  const QFontMetricsF metrics(labelFont(tile));
  double widest = 0.0;
  for (const std::string& label :
       tile.transposed ? run_.columnLabels(tile.tensor) : run_.rowLabels(tile.tensor))
    widest =
        std::max(widest, metrics.horizontalAdvance(visibleToken(QString::fromStdString(label))));
  const double right = tile.places.bounds().left() - kLabelGap * layout_.unit;
  return std::max(tile.area.left(), right - widest - kLabelGap * layout_.unit);
}

QColor FlowPainter::curveColor(const FlowCurve& curve) const {
  const std::string& title = run_.map().nodes[curve.reader].title;
  const Palette& palette = look_.palette;
  if (title == "query") return palette.query;
  if (title == "key") return palette.key;
  if (title == "value") return palette.value;
  return palette.muted;
}

void FlowPainter::paintCurves(QPainter& painter) const {
  const double unit = layout_.unit;
  painter.setBrush(Qt::NoBrush);
  for (const FlowCurve& curve : layout_.curves) {
    if (!curve.path.boundingRect().adjusted(-2, -2, 2, 2).intersects(look_.visible)) continue;
    painter.setPen(QPen(curveColor(curve), 1.4 * unit));
    painter.drawPath(curve.path);
  }
  for (const FlowJoin& join : layout_.joins) {
    const double radius = 8.0 * unit, arm = 4.0 * unit;
    painter.setPen(QPen(look_.palette.text, 1.3 * unit));
    painter.setBrush(look_.palette.panel);
    painter.drawEllipse(join.at, radius, radius);
    painter.drawLine(join.at - QPointF(arm, 0), join.at + QPointF(arm, 0));
    painter.drawLine(join.at - QPointF(0, arm), join.at + QPointF(0, arm));
  }
}

void FlowPainter::paintCards(QPainter& painter) const {
  const double unit = layout_.unit;
  const QFont title = Style::textFace(12 * textUnit(), QFont::DemiBold);
  const QFont plain = Style::textFace(11 * textUnit());
  for (const FlowCard& card : layout_.cards) {
    if (!card.frame.united(card.head).intersects(look_.visible)) continue;
    if (!card.frame.isEmpty()) {
      painter.setPen(QPen(look_.palette.line, 1.2 * unit));
      painter.setBrush(card.open ? look_.palette.panel : look_.palette.raised);
      painter.drawRoundedRect(card.frame, 6 * unit, 6 * unit);
    }
    // Where each result has its own name, that of the step is left out.
    const bool named = std::ranges::any_of(
        layout_.tiles, [&](const FlowTile& tile) { return tile.titled && tile.node == card.node; });
    if (named) continue;
    const bool part = run_.map().nodes[card.node].level != observe::MapLevel::Step;
    painter.setFont(part ? title : plain);
    painter.setPen(part ? look_.palette.text : look_.palette.muted);
    const QString mark = !card.opens ? QString()
                         : card.open ? QStringLiteral("▾ ")
                                     : QStringLiteral("▸ ");
    painter.drawText(card.head, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip,
                     mark + FlowWords::title(run_.map(), card.node));
  }
}

/// The numbers that the cells show. Where cells are smaller than half a pixel, some are left out.
std::vector<float> FlowPainter::numbersOf(const FlowTile& tile, CellPlaces& places) {
  places = tile.places;
  const auto thin = [](int& count, double& size) {
    const int step = std::max(1, int(std::floor(0.5 / size)));
    const int shown = (count + step - 1) / step;
    size *= double(count) / shown;
    count = shown;
    return step;
  };
  const int down = thin(places.rows, places.cell_height);
  const int across = thin(places.cols, places.cell_width);
  std::vector<float> values;
  values.reserve(std::size_t(places.rows) * std::size_t(places.cols));
  for (int row = 0; row < places.rows; ++row)
    for (int col = 0; col < places.cols; ++col) {
      const Cell at = tile.numberAt({row * down, col * across});
      values.push_back(run_.number(tile.tensor, at.row, at.col, side_));
    }
  return values;
}

void FlowPainter::paintTile(QPainter& painter, const FlowTile& tile) {
  const double unit = layout_.unit;
  const QRectF cells = tile.places.bounds();
  painter.setRenderHint(QPainter::Antialiasing);
  if (!run_.has(tile.tensor, side_)) {
    painter.setPen(QPen(look_.palette.line, unit, Qt::DotLine));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(cells);
  } else if (cells.intersects(look_.visible)) {
    const double room = 2.0 * unit;
    painter.setPen(QPen(look_.palette.line, unit));
    painter.setBrush(look_.palette.ground);
    painter.drawRoundedRect(cells.adjusted(-room, -room, room, room), room, room);
    const ColorTable colors(scales_.of(tile.tensor), look_.palette);
    CellPlaces places;
    const std::vector<float> values = numbersOf(tile, places);
    paintCells(painter, places, {values, {}, colors}, look_.detail);
    painter.setRenderHint(QPainter::Antialiasing);
    paintNumbers(painter, tile, values, colors);
  }
  if (tile.titled) {
    painter.setFont(Style::textFace(11 * textUnit()));
    painter.setPen(look_.palette.muted);
    painter.drawText(QPointF(cells.left(), tile.area.top() - 6 * unit),
                     FlowWords::tensor(run_, tile.tensor));
  }
  paintLabels(painter, tile);
  paintCaption(painter, tile);
}

void FlowPainter::paintNumbers(QPainter& painter, const FlowTile& tile,
                               const std::vector<float>& values, const ColorTable& colors) const {
  const CellPlaces& places = tile.places;
  const double size = std::min(places.cell_height * 0.5, places.cell_width * 0.27);
  if (size < 7.0 * look_.style.scale()) return;
  painter.setFont(Style::numberFace(std::min(size, 14.0 * look_.style.scale())));
  for (int row = 0; row < places.rows; ++row)
    for (int col = 0; col < places.cols; ++col) {
      const QRectF cell = places.cell(row, col);
      if (!cell.intersects(look_.visible)) continue;
      const float value = values[std::size_t(row) * std::size_t(places.cols) + std::size_t(col)];
      painter.setPen(readableOn(QColor(colors.color(value))));
      painter.drawText(cell, Qt::AlignCenter,
                       fixedNumber(double(value), std::abs(value) < 10 ? 2 : 1));
    }
}

void FlowPainter::paintLabels(QPainter& painter, const FlowTile& tile) const {
  const double unit = layout_.unit;
  const CellPlaces& places = tile.places;
  painter.setPen(look_.palette.muted);
  const auto draw = [&](const FlowRun::Labels& labels, std::int64_t index, const QRectF& room,
                        Qt::Alignment align) {
    if (std::size_t(index) >= labels.size()) return;
    const QString label = visibleToken(QString::fromStdString(labels[std::size_t(index)]));
    const QFontMetricsF metrics(painter.font());
    painter.drawText(room, int(align) | Qt::TextDontClip,
                     metrics.elidedText(label, Qt::ElideRight, std::max(room.width(), 12 * unit)));
  };
  if (tile.row_labels) {
    painter.setFont(labelFont(tile));
    for (int row = 0; row < places.rows; ++row) {
      const QRectF cell = places.cell(row, 0);
      const Cell number = tile.numberAt({row, 0});
      draw(tile.transposed ? run_.columnLabels(tile.tensor) : run_.rowLabels(tile.tensor),
           tile.transposed ? number.col : number.row,
           {tile.area.left(), cell.top(), cell.left() - tile.area.left() - kLabelGap * unit,
            cell.height()},
           Qt::AlignRight | Qt::AlignVCenter);
    }
  }
  if (!tile.col_labels) return;
  painter.setFont(Style::numberFace(std::min(11 * textUnit(), places.cell_width)));
  for (int col = 0; col < places.cols; ++col) {
    const QRectF cell = places.cell(places.rows - 1, col);
    const Cell number = tile.numberAt({0, col});
    draw(tile.transposed ? run_.rowLabels(tile.tensor) : run_.columnLabels(tile.tensor),
         tile.transposed ? number.row : number.col,
         {cell.left(), cell.bottom() + unit, cell.width(), 13 * unit},
         Qt::AlignHCenter | Qt::AlignTop);
  }
}

void FlowPainter::paintCaption(QPainter& painter, const FlowTile& tile) const {
  if (!tile.captioned) return;
  const double unit = layout_.unit;
  const QFont font = Style::textFace(10 * textUnit());
  const QFontMetricsF metrics(font);
  // With the names of the dimensions where there is room, else only their sizes.
  std::string rows = run_.rowAxis(tile.tensor), cols = run_.columnAxis(tile.tensor);
  std::int64_t all_rows = run_.info(tile.tensor).rows, all_cols = run_.info(tile.tensor).cols;
  if (tile.transposed) {
    std::swap(rows, cols);
    std::swap(all_rows, all_cols);
  }
  const bool map = run_.attentionOf(tile.tensor) != nullptr;
  const QString row_name = FlowWords::axis(rows, map, tile.places.rows < all_rows);
  const QString col_name =
      map ? FlowWords::tr("keys") : FlowWords::axis(cols, false, tile.places.cols < all_cols);
  const auto words_of = [&](bool named) {
    const auto side = [&](int count, const QString& name) {
      const QString size = QString::number(count);
      return named && !name.isEmpty() ? size + QLatin1Char(' ') + name : size;
    };
    return std::array<std::pair<QString, QColor>, 3>{
        std::pair{side(tile.places.rows, row_name), axisColor(look_.palette, rows)},
        {QStringLiteral(" × "), look_.palette.muted},
        {side(tile.places.cols, col_name), axisColor(look_.palette, cols)}};
  };
  const QRectF cells = tile.places.bounds();
  auto words = words_of(true);
  double width = 0.0;
  for (const bool named : {true, false}) {
    words = words_of(named);
    width = 0.0;
    for (const auto& [word, color] : words) width += metrics.horizontalAdvance(word);
    if (width <= cells.width() + kCaptionRoom * unit) break;
  }
  double x = std::max(tile.area.left(), cells.center().x() - width / 2);
  const double y = tile.area.bottom() - metrics.descent() - unit;
  painter.setFont(font);
  for (const auto& [word, color] : words) {
    painter.setPen(color);
    painter.drawText(QPointF(x, y), word);
    x += metrics.horizontalAdvance(word);
  }
}

void FlowPainter::paintLit(QPainter& painter, std::span<const NumberPlace> places,
                           const QColor& color) const {
  std::map<int, std::vector<QRectF>> cells;
  for (const NumberPlace& place : places)
    for (std::size_t i = 0; i < layout_.tiles.size(); ++i) {
      const FlowTile& tile = layout_.tiles[i];
      if (tile.tensor != place.tensor) continue;
      if (const auto cell = tile.cellOf(place.row, place.col))
        cells[int(i)].push_back(tile.places.cell(cell->row, cell->col));
    }
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(color, 1.6 * layout_.unit));
  for (const auto& [tile, rects] : cells) {
    QRectF all;
    double area = 0.0;
    for (const QRectF& rect : rects) {
      all = all.united(rect);
      area += rect.width() * rect.height();
    }
    // A row or a column is one frame; scattered numbers have separate frames.
    const bool together = area > 0.6 * all.width() * all.height() || rects.size() > kMostFrames;
    const double out = 1.5 * layout_.unit;
    if (together)
      painter.drawRoundedRect(all.adjusted(-out, -out, out, out), 3 * out, 3 * out);
    else
      for (const QRectF& rect : rects) painter.drawRoundedRect(rect, out, out);
  }
}

void FlowPainter::paintChanged(QPainter& painter) const {
  const double unit = textUnit(), radius = 5.0 * unit;
  const auto mark = [&](const QPointF& at, bool off) {
    paintChangeMark(painter, at, radius, off, look_.palette);
  };
  for (const TensorChange& change : run_.explained().config().changes) {
    const bool off = switchesOff(change);
    bool seen = false;
    for (const FlowTile& tile : layout_.tiles) {
      const QRectF cells = changedCells(run_, tile, change);
      if (cells.isEmpty()) continue;
      seen = true;
      painter.setBrush(Qt::NoBrush);
      painter.setPen(QPen(look_.palette.bad, 1.4 * unit, Qt::DashLine));
      painter.drawRect(cells);
      mark(cells.topRight(), off);
    }
    // In a part that is closed, its title has the mark.
    const TensorId changed = run_.program().find(change.tensor);
    if (seen || changed == kNoTensor) continue;
    const std::size_t maker = run_.map().makers[std::size_t(changed)];
    for (std::size_t up = maker == kNoNode ? kNoNode : run_.map().leaves[maker]; up != kNoNode;
         up = run_.map().nodes[up].parent)
      if (const int card = layout_.cardOf(up); card >= 0) {
        const QRectF& head = layout_.cards[std::size_t(card)].head;
        mark({head.right() - radius, head.center().y()}, off);
        break;
      }
  }
}

void FlowPainter::paintEdges(QPainter& painter, std::size_t step, double way,
                             const QColor& color) const {
  const double unit = layout_.unit;
  const auto& inputs = run_.program().steps[step].inputs;
  for (const FlowCurve& curve : layout_.curves) {
    if (!run_.map().contains(curve.reader, step) ||
        std::ranges::find(inputs, curve.tensor) == inputs.end())
      continue;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(color, 2.4 * unit));
    painter.drawPath(curve.path);
    if (way <= 0.0 || way >= 1.0) continue;
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawEllipse(curve.path.pointAtPercent(way), 5.0 * unit, 5.0 * unit);
  }
}

void FlowPainter::paintStep(QPainter& painter, std::size_t step, const QColor& color) const {
  const std::size_t leaf = run_.map().leaves[step];
  QRectF area;
  for (const FlowTile& tile : layout_.tiles)
    if (tile.node == leaf) area = area.united(tile.area);
  for (std::size_t up = leaf; area.isEmpty() && up != kNoNode; up = run_.map().nodes[up].parent)
    if (const int card = layout_.cardOf(up); card >= 0) {
      const FlowCard& found = layout_.cards[std::size_t(card)];
      area = found.frame.isEmpty() ? found.head : found.frame;
    }
  if (area.isEmpty()) return;
  const double out = 4 * layout_.unit;
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(color, 2 * layout_.unit));
  painter.drawRoundedRect(area.adjusted(-out, -out, out, out), 2 * out, 2 * out);
}

}  // namespace tfm::ui
