// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/heatmap/token_tables.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <utility>

#include "ui/style/style.h"

namespace tfm::ui {
namespace {

// In pixels at scale 1.
constexpr double kHigh = 40.0, kLow = 24.0;          // cells with and without numbers
constexpr double kNameHeight = 22.0, kHeads = 20.0;  // of a table and of its columns
constexpr double kBetween = 24.0;                    // two tables
constexpr double kEdge = 4.0;                        // right of the tables and below
constexpr double kFigureWidth = 760.0;               // of an exported line of tables

QFont nameFont(double unit) { return Style::textFace(12 * unit, QFont::DemiBold); }

void paintCell(QPainter& painter, const TokenTable& table, qsizetype index, const QRectF& cell,
               double unit, const Palette& palette) {
  const auto at = std::size_t(index);
  QColor fill = palette.raised, ink = palette.text, faint = palette.muted;
  if (!table.left_out.empty() && table.left_out[at] != 0) {
    fill = palette.line;
    ink = palette.muted;
  }
  if (!table.shares.empty()) {
    fill = cividis(table.shares[at]);
    ink = faint = readableOn(fill);
  }
  painter.setPen(Qt::NoPen);
  painter.setBrush(fill);
  painter.drawRoundedRect(cell, 3 * unit, 3 * unit);
  const QFont small = Style::numberFace(10.5 * unit);
  painter.setPen(ink);
  if (table.numbers.isEmpty()) {
    painter.setFont(small);
    return painter.drawText(cell, Qt::AlignCenter, table.words[index]);
  }
  painter.setFont(Style::numberFace(14 * unit, QFont::DemiBold));
  painter.drawText(
      cell.adjusted(0, 2 * unit, 0, -cell.height() * 0.4), Qt::AlignCenter,
      QFontMetricsF(painter.font()).elidedText(table.words[index], Qt::ElideRight, cell.width()));
  painter.setFont(small);
  painter.setPen(faint);
  painter.drawText(cell.adjusted(0, cell.height() * 0.55, 0, -2 * unit), Qt::AlignCenter,
                   table.numbers[index]);
}

}  // namespace

TokenSheet::TokenSheet(const Style& style, const QString& title, QWidget* parent)
    : CellGrid(style, parent) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  setTitle(title);
}

void TokenSheet::setTables(std::vector<TokenTable> tables) {
  if (tables == tables_) return;
  tables_ = std::move(tables);
  forgetOutside();
  arrange();
}

int TokenSheet::itemCount() const {
  int count = 0;
  for (const TokenTable& table : tables_) count += table.cells();
  return count;
}

int TokenSheet::columnCount() const {
  return tables_.size() == 1 ? std::max(1, int(tables_.front().cols.size())) : 1;
}

TokenSheet::Place TokenSheet::placeOf(int item) const {
  for (std::size_t i = 0; i < tables_.size(); ++i) {
    const int cols = int(tables_[i].cols.size());
    if (item < tables_[i].cells()) return {i, {item / cols, item % cols}};
    item -= tables_[i].cells();
  }
  return {0, {0, 0}};
}

int TokenSheet::itemOf(const Place& place) const {
  int item = place.cell.row * int(tables_[place.table].cols.size()) + place.cell.col;
  for (std::size_t i = 0; i < place.table; ++i) item += tables_[i].cells();
  return item;
}

std::vector<CellPlaces> TokenSheet::placesIn(double width, double unit) const {
  std::vector<CellPlaces> places;
  double left = 0.0, top = 0.0, bottom = 0.0;
  for (const TokenTable& table : tables_) {
    const double names = table.names_width * unit;
    CellPlaces one;
    one.rows = int(table.rows.size());
    one.cols = int(table.cols.size());
    one.gap = 2.0 * unit;
    one.cell_width = std::clamp((width - names - kEdge * unit) / std::max(1, one.cols),
                                table.cell_width * unit, table.widest_cell * unit);
    one.cell_height = (table.numbers.isEmpty() ? kLow : kHigh) * unit;
    const double whole = std::max(names + one.cols * one.cell_width,
                                  QFontMetricsF(nameFont(unit)).horizontalAdvance(table.name));
    if (left > 0.0 && left + whole > width) {
      left = 0.0;
      top = bottom + kBetween * unit;
    }
    const double head = (table.name.isEmpty() ? 0.0 : kNameHeight) + kHeads;
    one.origin = {left + names, top + head * unit};
    left += whole + kBetween * unit;
    bottom = std::max(bottom, one.bounds().bottom());
    places.push_back(one);
  }
  return places;
}

QSizeF TokenSheet::sizeOf(const std::vector<CellPlaces>& places, double unit) const {
  const QFontMetricsF names(nameFont(unit));
  QRectF all;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const QRectF cells = places[i].bounds();
    all |= cells;
    all.setRight(std::max(all.right(), cells.left() - tables_[i].names_width * unit +
                                           names.horizontalAdvance(tables_[i].name)));
  }
  return {all.right() + kEdge * unit, all.bottom() + kEdge * unit};
}

void TokenSheet::layOut() {
  places_ = placesIn(viewport()->width(), style().scale());
  setContentSize(sizeOf(places_, style().scale()));
}

QRectF TokenSheet::itemArea(int item) const {
  if (places_.empty()) return {};
  const Place place = placeOf(item);
  return places_[place.table].cell(place.cell.row, place.cell.col);
}

int TokenSheet::itemAt(const QPointF& point) const {
  for (std::size_t i = 0; i < places_.size(); ++i)
    if (const auto cell = places_[i].at(point)) return itemOf(Place{i, *cell});
  return -1;
}

int TokenSheet::stepFrom(int item, const Cell& step) const {
  if (tables_.empty()) return -1;
  if (item < 0) return 0;
  auto [table, cell] = placeOf(item);
  cell = {cell.row + step.row, cell.col + step.col};
  // Beyond the last row is the next table.
  if (cell.row >= int(tables_[table].rows.size()) && table + 1 < tables_.size())
    return itemOf(Place{table + 1, {0, 0}});
  if (cell.row < 0 && table > 0)
    return itemOf(Place{table - 1, {int(tables_[table - 1].rows.size()) - 1, 0}});
  return itemOf(Place{table,
                      {std::clamp(cell.row, 0, int(tables_[table].rows.size()) - 1),
                       std::clamp(cell.col, 0, int(tables_[table].cols.size()) - 1)}});
}

void TokenSheet::paintAll(QPainter& painter, const std::vector<CellPlaces>& places, double unit,
                          const Palette& palette) const {
  painter.setRenderHint(QPainter::Antialiasing);
  const QFont heads = Style::textFace(11 * unit);
  const QFontMetricsF metrics(heads);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const TokenTable& table = tables_[i];
    const CellPlaces& at = places[i];
    const double names = table.names_width * unit;
    const QPointF corner = at.origin - QPointF(names, kHeads * unit);
    painter.setFont(nameFont(unit));
    painter.setPen(palette.text);
    painter.drawText(corner - QPointF(0.0, 6.0 * unit), table.name);
    painter.setFont(heads);
    painter.setPen(palette.muted);
    for (int col = 0; col < at.cols; ++col) {
      const QRectF cell = at.cell(0, col);
      painter.drawText(QRectF(cell.left(), corner.y(), cell.width(), (kHeads - 3.0) * unit),
                       Qt::AlignHCenter | Qt::AlignBottom,
                       metrics.elidedText(table.cols[col], Qt::ElideRight, cell.width()));
    }
    for (int row = 0; row < at.rows; ++row) {
      const QRectF room(corner.x(), at.cell(row, 0).top(), names - 8.0 * unit,
                        at.cell(row, 0).height());
      painter.drawText(room, Qt::AlignRight | Qt::AlignVCenter,
                       metrics.elidedText(table.rows[row], Qt::ElideMiddle, room.width()));
    }
    for (int row = 0; row < at.rows; ++row)
      for (int col = 0; col < at.cols; ++col)
        paintCell(painter, table, qsizetype(row) * at.cols + col, at.cell(row, col), unit, palette);
  }
}

void TokenSheet::paintItems(QPainter& painter) {
  paintAll(painter, places_, style().scale(), style().palette());
}

QSizeF TokenSheet::figureSize() const { return sizeOf(placesIn(kFigureWidth, 1.0), 1.0); }

void TokenSheet::paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const {
  painter.translate(area.topLeft());
  paintAll(painter, placesIn(kFigureWidth, 1.0), 1.0, palette);
}

}  // namespace tfm::ui
