// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/flow/flow_lens.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>

#include "core/model/build_program.h"
#include "ui/figure/number_text.h"
#include "ui/figure/token_text.h"
#include "ui/style/style.h"
#include "ui/views/flow/flow_words.h"

namespace tfm::ui {
namespace {

constexpr double kLensRow = 40.0, kLensColumn = 74.0, kMostColumn = 130.0;
constexpr double kRowNames = 190.0, kColumnNames = 26.0;
constexpr int kListed = 5;  // tokens named in a tooltip

}  // namespace

FlowLens::FlowLens(const Style& style, QWidget* parent) : CellGrid(style, parent) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  setAccessibleName(tr("Logit lens"));
}

void FlowLens::setRun(const std::shared_ptr<FlowRun>& run) {
  answers_ = run ? run->lens() : std::vector<observe::LensAnswer>{};
  tokens_.clear();
  positions_.clear();
  blocks_.clear();
  if (run && !answers_.empty()) {
    const TensorId output = run->program().find(names::kOutput);
    for (const std::string& token : run->columnLabels(output))
      tokens_ << visibleToken(QString::fromStdString(token));
    for (const std::string& token : run->rowLabels(output))
      positions_ << visibleToken(QString::fromStdString(token));
    for (const observe::LensAnswer& answer : answers_) blocks_ << FlowWords::lensRow(*run, answer);
  }
  forgetOutside();
  arrange();
}

int FlowLens::columnCount() const {
  return answers_.empty() ? 1 : std::max(1, int(answers_.front().rows));
}

double FlowLens::probability(const Cell& cell, std::int64_t token) const {
  const observe::LensAnswer& answer = answers_[std::size_t(cell.row)];
  const std::int64_t row = std::min<std::int64_t>(cell.col, answer.rows - 1);
  return answer.probabilities[std::size_t(row * answer.cols + token)];
}

std::int64_t FlowLens::tokenAt(const Cell& cell) const {
  std::int64_t best = 0;
  for (std::int64_t token = 1; token < answers_[std::size_t(cell.row)].cols; ++token)
    if (probability(cell, token) > probability(cell, best)) best = token;
  return best;
}

QString FlowLens::tokenText(std::int64_t token) const {
  return token < tokens_.size() ? tokens_[qsizetype(token)] : QString::number(token + 1);
}

QString FlowLens::rowText(int row) const { return blocks_.value(row); }

QString FlowLens::itemText(int item) const {
  if (answers_.empty()) return {};
  const Cell cell = cellOf(item);
  std::vector<std::int64_t> order(std::size_t(answers_[std::size_t(cell.row)].cols));
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = std::int64_t(i);
  const auto listed = std::min<std::size_t>(kListed, order.size());
  std::ranges::partial_sort(order, order.begin() + std::ptrdiff_t(listed), std::greater<>{},
                            [&](std::int64_t token) { return probability(cell, token); });
  QStringList likely;
  for (std::size_t i = 0; i < listed; ++i)
    likely << QStringLiteral("%1 %2").arg(tokenText(order[i]),
                                          shortNumber(probability(cell, order[i])));
  const QString position =
      cell.col < positions_.size() ? positions_[cell.col] : tr("position %1").arg(cell.col + 1);
  return tr("After %1, at %2: %3").arg(rowText(cell.row), position, likely.join(", "));
}

CellPlaces FlowLens::placesIn(double width, double unit) const {
  CellPlaces places;
  places.rows = rows();
  places.cols = answers_.empty() ? 0 : columnCount();
  places.gap = 2.0 * unit;
  places.origin = {kRowNames * unit, kColumnNames * unit};
  const double room = (width - places.origin.x()) / std::max(1, places.cols);
  places.cell_width = std::clamp(room, kLensColumn * unit, kMostColumn * unit);
  places.cell_height = kLensRow * unit;
  return places;
}

void FlowLens::layOut() {
  places_ = placesIn(viewport()->width(), style().scale());
  const QRectF cells = places_.bounds();
  setContentSize({cells.right(), cells.bottom()});
}

QRectF FlowLens::itemArea(int item) const {
  const Cell cell = cellOf(item);
  return places_.cell(cell.row, cell.col);
}

int FlowLens::itemAt(const QPointF& point) const {
  const auto cell = places_.at(point);
  return cell ? itemOf(*cell) : -1;
}

void FlowLens::paintTable(QPainter& painter, const CellPlaces& places, double unit,
                          const Palette& palette) const {
  painter.setRenderHint(QPainter::Antialiasing);
  const QFont token = Style::numberFace(14 * unit, QFont::DemiBold);
  const QFont share = Style::numberFace(10 * unit);
  const QFont name = Style::textFace(11.5 * unit);
  const QFontMetricsF metrics(token), names(name);
  painter.setFont(name);
  painter.setPen(palette.muted);
  for (int row = 0; row < places.rows; ++row) {
    const QRectF cell = places.cell(row, 0);
    const QRectF room(0.0, cell.top(), cell.left() - 8 * unit, cell.height());
    painter.drawText(room, Qt::AlignRight | Qt::AlignVCenter,
                     names.elidedText(rowText(row), Qt::ElideMiddle, room.width()));
  }
  for (int col = 0; col < places.cols && col < positions_.size(); ++col) {
    const QRectF cell = places.cell(0, col);
    painter.drawText(QRectF(cell.left(), 0.0, cell.width(), cell.top() - 4 * unit),
                     Qt::AlignHCenter | Qt::AlignBottom,
                     names.elidedText(positions_[col], Qt::ElideRight, cell.width()));
  }
  for (int row = 0; row < places.rows; ++row)
    for (int col = 0; col < places.cols; ++col) {
      const QRectF cell = places.cell(row, col);
      const std::int64_t best = tokenAt({row, col});
      const double likely = probability({row, col}, best);
      const QColor color = cividis(likely);
      painter.setPen(Qt::NoPen);
      painter.setBrush(color);
      painter.drawRoundedRect(cell, 3 * unit, 3 * unit);
      painter.setPen(readableOn(color));
      painter.setFont(token);
      painter.drawText(cell.adjusted(3 * unit, 2 * unit, -3 * unit, -cell.height() * 0.38),
                       Qt::AlignCenter,
                       metrics.elidedText(tokenText(best), Qt::ElideRight, cell.width()));
      painter.setFont(share);
      painter.drawText(cell.adjusted(0, cell.height() * 0.55, 0, -2 * unit), Qt::AlignCenter,
                       fixedNumber(likely, 2));
    }
}

void FlowLens::paintItems(QPainter& painter) {
  paintTable(painter, places_, style().scale(), style().palette());
}

QSizeF FlowLens::figureSize() const {
  const QRectF cells = placesIn(0.0, 1.0).bounds();
  return {cells.right(), cells.bottom()};
}

void FlowLens::paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const {
  painter.save();
  painter.translate(area.topLeft());
  paintTable(painter, placesIn(0.0, 1.0), 1.0, palette);
  painter.restore();
}

DataTable FlowLens::figureData() const {
  DataTable table{{"after", "position", "token", "logit", "probability"}, {}};
  for (std::size_t i = 0; i < answers_.size(); ++i)
    for (std::int64_t row = 0; row < answers_[i].rows; ++row)
      for (std::int64_t token = 0; token < answers_[i].cols; ++token) {
        const auto at = std::size_t(row * answers_[i].cols + token);
        table.rows.push_back({rowText(int(i)), QString::number(row), tokenText(token),
                              fullPrecision(answers_[i].logits[at]),
                              fullPrecision(answers_[i].probabilities[at])});
      }
  return table;
}

}  // namespace tfm::ui
