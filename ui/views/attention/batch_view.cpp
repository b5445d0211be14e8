// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/attention/batch_view.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/backend/op_arguments.h"
#include "ui/figure/token_text.h"
#include "ui/style/style.h"

namespace tfm::ui {
namespace {

constexpr double kBatchCell = 40.0, kBatchWide = 44.0;
constexpr double kBatchRows = 64.0, kBatchName = 22.0, kBatchColumns = 18.0;
constexpr double kBetween = 24.0;    // two matrices
constexpr double kFigureWide = 760;  // of an exported line of matrices

QFont nameFont(double unit) { return Style::textFace(12 * unit, QFont::DemiBold); }

QString masks(bool hides, double by) {
  if (!hides) return QStringLiteral("0");
  return std::isinf(by) ? QStringLiteral("−∞")
                        : QString::number(by).replace(QLatin1Char('-'), QChar(0x2212));
}

/// The ids of one stack, one row for each text.
BatchMatrix idsOf(const QString& name, const std::vector<const train::ProbeInput*>& texts,
                  std::int64_t length, std::vector<std::string> train::ProbeInput::*labels,
                  std::vector<std::int32_t> Batch::*ids, std::int64_t train::ProbeInput::*pads) {
  BatchMatrix matrix{name, BatchView::tr("text"), int(texts.size()), int(length), {}, {}, {}};
  for (const train::ProbeInput* text : texts)
    for (std::int64_t at = 0; at < length; ++at) {
      const auto& words = text->*labels;
      const auto& numbers = text->batch.*ids;
      matrix.words << (std::size_t(at) < words.size()
                           ? visibleToken(QString::fromStdString(words[std::size_t(at)]))
                           : QString());
      matrix.ids << (std::size_t(at) < numbers.size() ? QString::number(numbers[std::size_t(at)])
                                                      : QString());
      matrix.left_out.push_back(at >= length - text->*pads);
    }
  return matrix;
}

BatchMatrix padMask(const BatchMatrix& ids) {
  BatchMatrix mask = ids;
  mask.name = BatchView::tr("Pad mask: added to every score of the key");
  mask.ids.clear();
  for (qsizetype i = 0; i < mask.words.size(); ++i)
    mask.words[i] = masks(mask.left_out[std::size_t(i)] != 0, kPadScore);
  return mask;
}

BatchMatrix causalMask(int length) {
  BatchMatrix mask{BatchView::tr("Causal mask: added to the score of query and key"),
                   BatchView::tr("query"),
                   length,
                   length,
                   {},
                   {},
                   {}};
  for (int row = 0; row < length; ++row)
    for (int col = 0; col < length; ++col) {
      mask.left_out.push_back(col > row);
      mask.words << masks(col > row, -std::numeric_limits<double>::infinity());
    }
  return mask;
}

}  // namespace

std::vector<BatchMatrix> batchMatrices(const std::vector<const train::ProbeInput*>& texts,
                                       bool causal) {
  std::vector<BatchMatrix> matrices;
  if (texts.empty()) return matrices;
  const Batch& batch = texts.front()->batch;
  if (batch.source_length > 0) {
    matrices.push_back(idsOf(BatchView::tr("What the encoder reads"), texts, batch.source_length,
                             &train::ProbeInput::source_labels, &Batch::source,
                             &train::ProbeInput::source_pads));
    matrices.push_back(padMask(matrices.back()));
  }
  if (batch.target_length > 0) {
    matrices.push_back(idsOf(BatchView::tr("What the decoder reads"), texts, batch.target_length,
                             &train::ProbeInput::decoder_labels, &Batch::target,
                             &train::ProbeInput::decoder_pads));
    if (causal) matrices.push_back(causalMask(int(batch.target_length)));
  }
  return matrices;
}

BatchView::BatchView(const Style& style, QWidget* parent) : CellGrid(style, parent) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  setAccessibleName(tr("The padded batch"));
}

void BatchView::setMatrices(std::vector<BatchMatrix> matrices) {
  if (matrices == matrices_) return;
  matrices_ = std::move(matrices);
  forgetOutside();
  arrange();
}

int BatchView::itemCount() const {
  int count = 0;
  for (const BatchMatrix& matrix : matrices_) count += matrix.rows * matrix.cols;
  return count;
}

BatchView::Place BatchView::placeOf(int item) const {
  for (std::size_t i = 0; i < matrices_.size(); ++i) {
    const int cells = matrices_[i].rows * matrices_[i].cols;
    if (item < cells) return {i, {item / matrices_[i].cols, item % matrices_[i].cols}};
    item -= cells;
  }
  return {0, {0, 0}};
}

int BatchView::itemOf(const Place& place) const {
  int item = place.cell.row * matrices_[place.matrix].cols + place.cell.col;
  for (std::size_t i = 0; i < place.matrix; ++i) item += matrices_[i].rows * matrices_[i].cols;
  return item;
}

QString BatchView::itemText(int item) const {
  if (item < 0 || item >= itemCount()) return {};
  const auto [at, cell] = placeOf(item);
  const BatchMatrix& matrix = matrices_[at];
  const qsizetype index = qsizetype(cell.row) * matrix.cols + cell.col;
  const QString where =
      tr("%1 %2, position %3").arg(matrix.row_title).arg(cell.row + 1).arg(cell.col + 1);
  if (matrix.ids.isEmpty()) return tr("%1: %2").arg(where, matrix.words[index]);
  if (matrix.left_out[std::size_t(index)] != 0) return tr("%1: a pad").arg(where);
  return matrix.ids[index].isEmpty()
             ? tr("%1: %2").arg(where, matrix.words[index])
             : tr("%1: %2, token %3").arg(where, matrix.words[index], matrix.ids[index]);
}

std::vector<CellPlaces> BatchView::placesIn(double width, double unit) const {
  std::vector<CellPlaces> places;
  const QFontMetricsF names(nameFont(unit));
  double left = 0.0, top = 0.0, bottom = 0.0;
  for (const BatchMatrix& matrix : matrices_) {
    CellPlaces one;
    one.rows = matrix.rows;
    one.cols = matrix.cols;
    one.gap = 2.0 * unit;
    one.cell_width = kBatchWide * unit;
    one.cell_height = (matrix.ids.isEmpty() ? kBatchCell * 0.6 : kBatchCell) * unit;
    const double whole = std::max(kBatchRows * unit + one.cols * one.cell_width,
                                  names.horizontalAdvance(matrix.name));
    if (left > 0.0 && left + whole > width) {
      left = 0.0;
      top = bottom + kBetween * unit;
    }
    one.origin = {left + kBatchRows * unit, top + (kBatchName + kBatchColumns) * unit};
    left += whole + kBetween * unit;
    bottom = std::max(bottom, one.bounds().bottom());
    places.push_back(one);
  }
  return places;
}

QSizeF BatchView::sizeOf(const std::vector<CellPlaces>& places, double unit) const {
  const QFontMetricsF names(nameFont(unit));
  QRectF all;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const QRectF cells = places[i].bounds();
    all |= cells;
    all.setRight(std::max(all.right(), cells.left() - kBatchRows * unit +
                                           names.horizontalAdvance(matrices_[i].name)));
  }
  return {all.right() + 4.0 * unit, all.bottom() + 4.0 * unit};
}

void BatchView::layOut() {
  places_ = placesIn(viewport()->width(), style().scale());
  setContentSize(sizeOf(places_, style().scale()));
}

QRectF BatchView::itemArea(int item) const {
  if (places_.empty()) return {};
  const Place place = placeOf(item);
  return places_[place.matrix].cell(place.cell.row, place.cell.col);
}

int BatchView::itemAt(const QPointF& point) const {
  for (std::size_t i = 0; i < places_.size(); ++i)
    if (const auto cell = places_[i].at(point)) return itemOf({i, *cell});
  return -1;
}

int BatchView::stepFrom(int item, const Cell& step) const {
  if (matrices_.empty()) return -1;
  if (item < 0) return 0;
  Place place = placeOf(item);
  const BatchMatrix& matrix = matrices_[place.matrix];
  place.cell = {place.cell.row + step.row, place.cell.col + step.col};
  // Beyond the last row is the next matrix.
  if (place.cell.row >= matrix.rows && place.matrix + 1 < matrices_.size())
    return itemOf({place.matrix + 1, {0, 0}});
  if (place.cell.row < 0 && place.matrix > 0)
    return itemOf({place.matrix - 1, {matrices_[place.matrix - 1].rows - 1, 0}});
  place.cell.row = std::clamp(place.cell.row, 0, matrix.rows - 1);
  place.cell.col = std::clamp(place.cell.col, 0, matrix.cols - 1);
  return itemOf(place);
}

void BatchView::paintAll(QPainter& painter, const std::vector<CellPlaces>& places, double unit,
                         const Palette& palette) const {
  painter.setRenderHint(QPainter::Antialiasing);
  const QFont name = nameFont(unit), axis = Style::textFace(10.5 * unit);
  const QFont token = Style::numberFace(14 * unit, QFont::DemiBold);
  const QFont number = Style::numberFace(10.5 * unit);
  const QFontMetricsF tokens(token);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const BatchMatrix& matrix = matrices_[i];
    const CellPlaces& at = places[i];
    const QRectF cells = at.bounds();
    painter.setFont(name);
    painter.setPen(palette.text);
    painter.drawText(
        QPointF(cells.left() - kBatchRows * unit, cells.top() - (kBatchColumns + 6.0) * unit),
        matrix.name);
    painter.setFont(axis);
    painter.setPen(palette.muted);
    for (int col = 0; col < at.cols; ++col)
      painter.drawText(QRectF(at.cell(0, col).left(), cells.top() - kBatchColumns * unit,
                              at.cell(0, col).width(), kBatchColumns * unit),
                       Qt::AlignCenter, QString::number(col + 1));
    for (int row = 0; row < at.rows; ++row)
      painter.drawText(QRectF(cells.left() - kBatchRows * unit, at.cell(row, 0).top(),
                              (kBatchRows - 8.0) * unit, at.cell(row, 0).height()),
                       Qt::AlignRight | Qt::AlignVCenter,
                       tr("%1 %2").arg(matrix.row_title).arg(row + 1));
    for (int row = 0; row < at.rows; ++row)
      for (int col = 0; col < at.cols; ++col) {
        const QRectF cell = at.cell(row, col);
        const qsizetype index = qsizetype(row) * at.cols + col;
        const bool left_out = matrix.left_out[std::size_t(index)] != 0;
        painter.setPen(Qt::NoPen);
        painter.setBrush(left_out ? palette.line : palette.raised);
        painter.drawRoundedRect(cell, 3 * unit, 3 * unit);
        painter.setPen(left_out ? palette.muted : palette.text);
        if (matrix.ids.isEmpty()) {
          painter.setFont(number);
          painter.drawText(cell, Qt::AlignCenter, matrix.words[index]);
          continue;
        }
        painter.setFont(token);
        painter.drawText(cell.adjusted(0, 2 * unit, 0, -cell.height() * 0.42), Qt::AlignCenter,
                         tokens.elidedText(matrix.words[index], Qt::ElideRight, cell.width()));
        painter.setFont(number);
        painter.setPen(palette.muted);
        painter.drawText(cell.adjusted(0, cell.height() * 0.55, 0, -2 * unit), Qt::AlignCenter,
                         matrix.ids[index]);
      }
  }
}

void BatchView::paintItems(QPainter& painter) {
  paintAll(painter, places_, style().scale(), style().palette());
}

QSizeF BatchView::figureSize() const { return sizeOf(placesIn(kFigureWide, 1.0), 1.0); }

void BatchView::paintFigure(QPainter& painter, const QRectF& area, const Palette& palette) const {
  painter.save();
  painter.translate(area.topLeft());
  paintAll(painter, placesIn(kFigureWide, 1.0), 1.0, palette);
  painter.restore();
}

DataTable BatchView::figureData() const {
  DataTable table{{"matrix", "row", "position", "token", "id", "left_out"}, {}};
  for (const BatchMatrix& matrix : matrices_)
    for (qsizetype i = 0; i < matrix.words.size(); ++i)
      table.rows.push_back({matrix.name, QString::number(i / matrix.cols),
                            QString::number(i % matrix.cols), matrix.words[i], matrix.ids.value(i),
                            QString::number(matrix.left_out[std::size_t(i)])});
  return table;
}

}  // namespace tfm::ui
