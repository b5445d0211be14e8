// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/bar_histogram.h"

#include <QFontMetricsF>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "ui/figure/number_text.h"
#include "ui/plots/plot_look.h"
#include "ui/style/style.h"

namespace tfm::ui {
namespace {

constexpr std::size_t kSnapshots = 5;
constexpr double kCellWidth = 150, kCellHeight = 96;

const HistogramRow* findRow(const std::vector<HistogramRow>& rows, const QString& name) {
  const auto row = std::find_if(rows.begin(), rows.end(),
                                [&name](const HistogramRow& r) { return r.name == name; });
  return row == rows.end() ? nullptr : &*row;
}

float largestCount(const HistogramRow& row) {
  return row.counts.empty() ? 0 : *std::max_element(row.counts.begin(), row.counts.end());
}

}  // namespace

BarHistogram::BarHistogram(Style& style, QWidget* parent)
    : QWidget(parent), style_(style), redraw_(*this, [this] {
        describe();
        update();
      }) {
  setFocusPolicy(Qt::StrongFocus);
  QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
  connect(&style_, &Style::changed, this, [this] {
    updateGeometry();
    update();
  });
}

void BarHistogram::setTitle(const QString& title) {
  title_ = title;
  setAccessibleName(title);
}

void BarHistogram::addSnapshot(double step, std::vector<HistogramRow> rows) {
  const int rows_before = rowCount();
  snapshots_.push_back({step, std::move(rows)});
  if (snapshots_.size() > kSnapshots) snapshots_.pop_front();
  current_ = std::clamp(current_, 0, std::max(rowCount() - 1, 0));
  if (rowCount() != rows_before) updateGeometry();
  redraw_.request();
}

void BarHistogram::clearSnapshots() {
  snapshots_.clear();
  current_ = 0;
  updateGeometry();
  redraw_.request();
}

int BarHistogram::rowCount() const {
  return snapshots_.empty() ? 0 : static_cast<int>(snapshots_.back().rows.size());
}

int BarHistogram::columnsIn(double width) const {
  return std::clamp(static_cast<int>(width / style_.px(kCellWidth)), 1, std::max(rowCount(), 1));
}

QRectF BarHistogram::cell(int index, const QRectF& area) const {
  const int columns = columnsIn(area.width());
  const double width = area.width() / columns, height = style_.px(kCellHeight);
  return QRectF(area.left() + (index % columns) * width, area.top() + (index / columns) * height,
                width, height);
}

int BarHistogram::rowAt(const QPointF& place) const {
  for (int i = 0; i < rowCount(); ++i)
    if (cell(i, rect()).contains(place)) return i;
  return -1;
}

int BarHistogram::heightForWidth(int width) const {
  const int columns = columnsIn(width);
  return style_.px(kCellHeight) * std::max((rowCount() + columns - 1) / columns, 1);
}

QSizeF BarHistogram::figureSize() const {
  const int width = style_.px(kCellWidth) * std::clamp(rowCount(), 1, 4);
  return QSizeF(width, heightForWidth(width));
}

QSize BarHistogram::minimumSizeHint() const { return {style_.px(120), style_.px(kCellHeight)}; }

void BarHistogram::paintFigure(QPainter& painter, const QRectF& area,
                               const Palette& palette) const {
  painter.save();
  paint(painter, area, PlotLook(style_, palette));
  painter.restore();
}

void BarHistogram::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const PlotLook look(style_, style_.palette());
  paint(painter, rect(), look);
  if (!hasFocus() || rowCount() == 0) return;
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(look.palette.accent, 1.5 * look.unit));
  painter.drawRoundedRect(cell(current_, rect()).adjusted(1, 1, -1, -1), 7 * look.unit,
                          7 * look.unit);
}

void BarHistogram::showEvent(QShowEvent*) {
  if (redraw_.pending()) redraw_.request();
}

void BarHistogram::paint(QPainter& painter, const QRectF& area, const PlotLook& look) const {
  painter.setRenderHint(QPainter::Antialiasing);
  if (snapshots_.empty()) {
    painter.setFont(look.text);
    painter.setPen(look.palette.muted);
    painter.drawText(area, Qt::AlignCenter, tr("No data yet"));
    return;
  }
  for (int i = 0; i < rowCount(); ++i)
    paintCell(painter, cell(i, area), snapshots_.back().rows[static_cast<std::size_t>(i)], look);
}

void BarHistogram::paintCell(QPainter& painter, const QRectF& box, const HistogramRow& row,
                             const PlotLook& look) const {
  const double unit = look.unit, pad = 8 * unit;
  const QFontMetricsF numbers(look.number), names(look.text);
  const QRectF inner = box.adjusted(pad, pad / 2, -pad, -pad / 2);
  const QString norm = tr("‖%1‖", "Euclidean norm").arg(shortNumber(row.norm));
  painter.setFont(look.number);
  painter.setPen(look.palette.text);
  painter.drawText(inner, Qt::AlignRight | Qt::AlignTop, norm);
  painter.setFont(look.text);
  const double name_room = inner.width() - numbers.horizontalAdvance(norm) - pad;
  painter.drawText(inner, Qt::AlignLeft | Qt::AlignTop,
                   names.elidedText(row.name, Qt::ElideMiddle, name_room));
  painter.setFont(look.number);
  painter.setPen(look.palette.muted);

  // One scale for all snapshots of a cell: what moves is the data.
  double low = row.low, high = row.high;
  float most = 0;
  for (const Snapshot& snapshot : snapshots_)
    if (const HistogramRow* old = findRow(snapshot.rows, row.name)) {
      low = std::min(low, old->low);
      high = std::max(high, old->high);
      most = std::max(most, largestCount(*old));
    }
  painter.drawText(inner, Qt::AlignLeft | Qt::AlignBottom, tickNumber(low));
  painter.drawText(inner, Qt::AlignRight | Qt::AlignBottom, tickNumber(high));
  if (most <= 0 || !(high > low)) return;

  const QRectF bars = inner.adjusted(0, names.height() + pad / 2, 0, -numbers.height() - pad / 4);
  const double step_back = 3.5 * unit;
  const double height = bars.height() - step_back * static_cast<double>(snapshots_.size() - 1);
  painter.setPen(Qt::NoPen);
  for (std::size_t age = snapshots_.size(); age-- > 0;) {
    const HistogramRow* shown = findRow(snapshots_[snapshots_.size() - 1 - age].rows, row.name);
    if (!shown || shown->counts.empty()) continue;
    const double strength = age == 0 ? 1 : 0.5 / static_cast<double>(age);
    const double base = bars.bottom() - step_back * static_cast<double>(age);
    const double bin = (shown->high - shown->low) / static_cast<double>(shown->counts.size());
    const double pixels = bars.width() / (high - low);
    for (std::size_t i = 0; i < shown->counts.size(); ++i) {
      if (shown->counts[i] <= 0) continue;
      const double left = shown->low + static_cast<double>(i) * bin;
      const QColor& sign = left + bin / 2 < 0 ? look.palette.negative : look.palette.positive;
      const double top = height * static_cast<double>(shown->counts[i] / most);
      painter.setBrush(look.faded(sign, strength));
      painter.drawRect(QRectF(bars.left() + (left - low) * pixels, base - top,
                              std::max(bin * pixels - 0.5 * unit, 0.5), top));
    }
  }
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(look.gridColour(), unit));
  painter.drawLine(bars.bottomLeft(), bars.bottomRight());
}

DataTable BarHistogram::figureData() const {
  DataTable table;
  for (const char* name : {"step", "group", "bin_low", "bin_high", "count", "norm"})
    table.columns << QLatin1String(name);
  for (const Snapshot& snapshot : snapshots_)
    for (const HistogramRow& row : snapshot.rows) {
      const double bin = (row.high - row.low) / static_cast<double>(row.counts.size());
      for (std::size_t i = 0; i < row.counts.size(); ++i) {
        const double left = row.low + static_cast<double>(i) * bin;
        table.rows.push_back(
            {fullPrecision(snapshot.step), row.name, fullPrecision(left), fullPrecision(left + bin),
             fullPrecision(static_cast<double>(row.counts[i])), fullPrecision(row.norm)});
      }
    }
  return table;
}

void BarHistogram::moveTo(int row) {
  if (row < 0 || row >= rowCount()) return;
  current_ = row;
  describe();
  update();
}

void BarHistogram::describe() {
  if (rowCount() == 0) return setAccessibleDescription(tr("No data yet"));
  const HistogramRow& row = snapshots_.back().rows[static_cast<std::size_t>(current_)];
  setAccessibleDescription(tr("%1 at step %2: from %3 to %4, norm %5")
                               .arg(row.name, stepNumber(snapshots_.back().step),
                                    shortNumber(row.low), shortNumber(row.high),
                                    shortNumber(row.norm)));
}

bool BarHistogram::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const int row = rowAt(help->pos());
  QToolTip::showText(
      help->globalPos(),
      row < 0 ? QString() : snapshots_.back().rows[static_cast<std::size_t>(row)].name, this);
  return true;
}

void BarHistogram::mousePressEvent(QMouseEvent* event) {
  const int row = rowAt(event->position());
  if (event->button() != Qt::LeftButton || row < 0) return event->ignore();
  moveTo(row);
  emit rowActivated(snapshots_.back().rows[static_cast<std::size_t>(row)].name);
}

void BarHistogram::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Left:
      return moveTo(current_ - 1);
    case Qt::Key_Right:
      return moveTo(current_ + 1);
    case Qt::Key_Up:
      return moveTo(current_ - columnsIn(width()));
    case Qt::Key_Down:
      return moveTo(current_ + columnsIn(width()));
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (rowCount() > 0)
        emit rowActivated(snapshots_.back().rows[static_cast<std::size_t>(current_)].name);
      return;
    default:
      QWidget::keyPressEvent(event);
  }
}

}  // namespace tfm::ui
