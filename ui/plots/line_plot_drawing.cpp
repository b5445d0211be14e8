// SPDX-License-Identifier: GPL-3.0-or-later
// What a LinePlot shows, and where.
#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <limits>

#include "ui/figure/number_text.h"
#include "ui/plots/line_plot.h"
#include "ui/plots/plot_axes.h"
#include "ui/plots/plot_graph.h"
#include "ui/plots/plot_legend.h"

namespace tfm::ui {
namespace {

constexpr int kFew = 40;  // curves with at most this many points get markers

double rowHeight(const PlotLook& look) {
  return std::ceil(QFontMetricsF(look.text).height() + 2 * look.unit);
}

double edgeOf(const PlotLook& look) { return std::ceil(5 * look.unit); }

/// Whether a row of text would take too much of the height.
bool isLow(const PlotLook& look, const QSizeF& size) {
  return size.height() < 11 * rowHeight(look);
}

/// The height needed below the axes.
double roomBelow(bool x_labels, const PlotLook& look, const QSizeF& size) {
  const double ticks = std::ceil(QFontMetricsF(look.number).height() + 8 * look.unit);
  const double axis = ticks + (isLow(look, size) ? 0 : rowHeight(look));
  return (x_labels ? axis : std::ceil(6 * look.unit)) + edgeOf(look);
}

}  // namespace

double LinePlot::labelRoom(const PlotLook& look) const {
  double widest = 0;
  for (const LineCurve& curve : curves_)
    widest = std::max(widest, QFontMetricsF(look.strong).horizontalAdvance(curve.name));
  // A leader line, the name, the longest number and the gaps between them.
  return 28 * look.unit + widest +
         QFontMetricsF(look.number).horizontalAdvance(QStringLiteral("0.000123"));
}

bool LinePlot::hasRoomAtEnds(const PlotLook& look, const QSizeF& size) const {
  const double rows = rowHeight(look) * double(3 + curves_.size());
  return std::max(labelRoom(look), least_label_room_) < 0.3 * size.width() &&
         size.height() > roomBelow(x_labels_, look, size) + rows;
}

AxisRange stepsOf(std::span<const LineCurve> curves) {
  std::optional<AxisRange> range;
  for (const LineCurve& curve : curves) {
    if (curve.data.empty()) continue;
    const double first = curve.data.steps().front(), last = curve.data.steps().back();
    if (!range) range = AxisRange{first, last};
    range = AxisRange{std::min(range->low, first), std::max(range->high, last)};
  }
  if (!range) return {};
  // A single step is the only tick, at the end of the curves.
  if (range->span() <= 0) range->low = range->high - 0.5;
  return *range;
}

AxisRange LinePlot::followedY() const {
  if (fixed_y_ && (!logarithmic_ || fixed_y_->low > 0))
    return padded(fixed_y_->low, fixed_y_->high, logarithmic_);
  std::vector<const QCPGraph*> graphs;
  for (const LineCurve& curve : curves_) graphs.insert(graphs.end(), {curve.raw, curve.line});
  const auto values = valuesOf(graphs, logarithmic_, shownX());
  if (!values) return emptyRange(logarithmic_);
  auto [low, high] = *values;
  for (const LineCurve& curve : curves_) {
    if (!curve.interval || (logarithmic_ && curve.interval->low <= 0)) continue;
    low = std::min(low, curve.interval->low);
    high = std::max(high, curve.interval->high);
  }
  if (y_from_zero_ && !logarithmic_) low = std::min(low, 0.0);
  return padded(low, high, logarithmic_);
}

QString LinePlot::yTitle() const {
  if (logarithmic_)
    return y_title_.isEmpty() ? tr("logarithmic") : tr("%1, logarithmic").arg(y_title_);
  const double low = shownY().low;
  if (!names_y_start_ || low <= 0) return y_title_;
  return tr("%1 (axis starts at %2, not at 0)").arg(y_title_, tickNumber(low));
}

QString noteOn(std::span<const LineCurve> curves, const AxisRange& shown, bool logarithmic) {
  qint64 drawn = 0, not_finite = 0, not_positive = 0, points = 0;
  for (const LineCurve& curve : curves) {
    points += qint64(curve.data.size());
    const auto steps = curve.data.steps();
    const auto begin = std::ranges::lower_bound(steps, shown.low) - steps.begin();
    const auto end = std::ranges::upper_bound(steps, shown.high) - steps.begin();
    for (const double value :
         curve.data.values().subspan(std::size_t(begin), std::size_t(end - begin))) {
      const bool fits = !logarithmic || value > 0;
      not_finite += !std::isfinite(value);
      not_positive += std::isfinite(value) && !fits;
      drawn += std::isfinite(value) && fits;
    }
  }
  if (points == 0) return LinePlot::tr("No data yet");
  if (drawn == 0 && not_positive > 0)
    return LinePlot::tr("Nothing to show: a logarithmic axis needs values above 0");
  QStringList notes;
  if (not_positive > 0)
    notes << LinePlot::tr("%1 values at or below 0 cannot be shown on a logarithmic axis")
                 .arg(not_positive);
  if (not_finite > 0) notes << LinePlot::tr("%1 values are NaN or infinite").arg(not_finite);
  return notes.join(QStringLiteral(" · "));
}

void LinePlot::prepare(const PlotLook& look, const QSizeF& size) const {
  QCustomPlot& plot = canvas();
  tfm::ui::setLogarithmic(*plot.yAxis, logarithmic_);
  setRange(*plot.xAxis, zoom_.of(*plot.xAxis).value_or(stepsOf(curves_)));
  setRange(*plot.yAxis, zoom_.of(*plot.yAxis).value_or(followedY()));
  layout_.low = isLow(look, size);
  dress(look);

  const double row = layout_.row = rowHeight(look), edge = layout_.edge = edgeOf(look);
  const double gap = std::ceil(6 * look.unit), bottom = roomBelow(x_labels_, look, size);
  const double room = std::ceil(std::max(labelRoom(look), least_label_room_));
  layout_.labels_at_ends = !legend_ && hasRoomAtEnds(look, size);
  const double left =
      std::ceil(QFontMetricsF(look.number).horizontalAdvance(QStringLiteral("0.0001")) + 2 * gap);
  const double right = layout_.labels_at_ends ? room : std::ceil(12 * look.unit);
  QRectF axes(left, 0, std::max(size.width() - left - right, 1.0), 1);

  const AxisRange x = shownX();
  layout_.flags = placeFlags(flags_, size.height() > 14 * row ? 2 : 1, row, left, size.width(),
                             look, [&](double step) -> double {
                               if (step < x.low || step > x.high) return -INFINITY;
                               return left + (step - x.low) / x.span() * axes.width();
                             });
  double rows_of_flags = 0.4;
  for (const PlacedFlag& flag : layout_.flags)
    rows_of_flags = std::max(rows_of_flags, std::floor(flag.box.bottom() / row));

  plot.legend->setVisible(!layout_.labels_at_ends && curves_.size() > 1);
  int heads = 1;  // rows of title and legend
  if (plot.legend->visible()) {
    // Beside the title, or in rows below it if it does not fit.
    const double title = QFontMetricsF(look.text).horizontalAdvance(yTitle());
    layout_.legend = {title + 4 * gap, edge};
    if (wrapLegend(*plot.legend, size.width() - layout_.legend.x()) > 1) {
      layout_.legend = {gap, edge + row};
      heads += wrapLegend(*plot.legend, size.width() - gap);
    }
  }
  axes.setTop(std::ceil(edge + (heads + rows_of_flags) * row));
  axes.setHeight(std::max(size.height() - axes.top() - bottom, 1.0));
  for (PlacedFlag& flag : layout_.flags) flag.box.translate(0, edge + heads * row);
  plot.axisRect()->setMargins({int(left), int(axes.top()), int(size.width() - axes.right()),
                               int(size.height() - axes.bottom())});
  plot.xAxis->ticker()->setTickCount(std::clamp(int(axes.width() / (90 * look.unit)), 1, 8));
  plot.yAxis->ticker()->setTickCount(std::clamp(int(axes.height() / (40 * look.unit)), 2, 6));
}

void LinePlot::dress(const PlotLook& look) const {
  QCustomPlot& plot = canvas();
  dressAxes(*plot.axisRect(), look);
  plot.xAxis->setTicks(x_labels_);
  plot.xAxis->setTickLabels(x_labels_);
  plot.xAxis->setLabel(x_labels_ && !layout_.low ? x_title_ : QString());
  const QCPRange shown = plot.xAxis->range();
  for (std::size_t i = 0; i < curves_.size(); ++i) {
    const LineCurve& curve = curves_[i];
    const QColor colour = look.seriesColour(int(i));
    curve.raw->setVisible(curve.data.smoothing() > 0);
    curve.raw->setPen(look.rawPen(int(i)));
    curve.line->setName(curve.name);
    curve.line->setPen(look.seriesPen(int(i)));
    curve.line->setAveraged(curve.data.smoothing() > 0);
    const auto points = curve.line->data();
    // A few points are single measurements, and one alone would not make a line.
    const bool few = points->findEnd(shown.upper) - points->findBegin(shown.lower) <= kFew;
    curve.line->setScatterStyle(few ? seriesMark(int(i), QPen(colour, look.unit), 6 * look.unit)
                                    : QCPScatterStyle::ssNone);
    curve.bar->setVisible(curve.interval && !curve.data.empty());
    if (curve.bar->visible()) {
      QVector<double> below(points->size(), std::numeric_limits<double>::quiet_NaN());
      QVector<double> above = below;
      below.last() = curve.data.smoothed().back() - curve.interval->low;
      above.last() = curve.interval->high - curve.data.smoothed().back();
      curve.bar->setData(below, above);
      curve.bar->setPen(QPen(colour, 1.5 * look.unit, Qt::SolidLine, Qt::FlatCap));
      curve.bar->setWhiskerWidth(8 * look.unit);
      curve.bar->setSymbolGap(0);
    }
    curve.dot->setBrush(colour);
    curve.dot->setPen(QPen(look.palette.panel, 1.5 * look.unit));
    curve.dot->setSize(9 * look.unit);
  }
  dressLegend(*plot.legend, look);
  for (QCPItemText* text : {cursor_text_, moment_text_}) {
    const int pad = int(6 * look.unit);
    text->setFont(look.number);
    text->setColor(look.palette.text);
    text->setPadding({pad, pad / 2, pad, pad / 2});
    text->setTextAlignment(Qt::AlignLeft);
  }
  cursor_text_->setBrush(look.palette.raised);
  cursor_text_->setPen(QPen(look.palette.line, look.unit));
  moment_text_->setBrush(look.palette.panel);
  moment_text_->setPen(Qt::NoPen);
  cursor_line_->setPen(QPen(look.palette.text, look.unit));
  moment_line_->setPen(QPen(look.palette.text, 2 * look.unit));
}

void LinePlot::arrange(const PlotLook& look) const {
  const auto place = [&](QCPItemLine& line, QCPItemText& text, std::optional<double> step,
                         const QString& words, Qt::Alignment vertical) {
    const AxisRange shown = shownX();
    const bool visible = step && *step >= shown.low && *step <= shown.high;
    line.setVisible(visible);
    text.setVisible(visible);
    if (!visible) return;
    line.start->setCoords(*step, 0);
    line.end->setCoords(*step, 1);
    text.setText(words);
    // On the right of the line, where there is room.
    const double gap = 6 * look.unit, x = canvas().xAxis->coordToPixel(*step);
    const QRectF inside = axes().adjusted(0, gap, 0, -gap);
    const double y = std::round(vertical == Qt::AlignTop ? inside.top() : inside.bottom());
    text.setPositionAlignment(Qt::AlignLeft | vertical);
    text.position->setCoords(std::round(x + gap), y);
    const double width = text.right->pixelPosition().x() - text.left->pixelPosition().x();
    if (x + gap + width > inside.right())
      text.position->setCoords(std::round(std::max(x - gap - width, 0.0)), y);
  };
  place(*moment_line_, *moment_text_, moment_,
        tr("shown: step %1").arg(stepNumber(moment_.value_or(0))), Qt::AlignBottom);
  place(*cursor_line_, *cursor_text_, cursor_, cursorText(), Qt::AlignTop);
  placeLegend(*canvas().legend, layout_.legend);
  for (const LineCurve& curve : curves_) {
    const auto at = cursor_ ? curve.data.indexAt(*cursor_) : std::nullopt;
    curve.dot->setVisible(at && cursor_line_->visible() && std::isfinite(curve.data.values()[*at]));
    if (!at) continue;
    curve.dot->setGraph(curve.line);
    curve.dot->setGraphKey(curve.data.steps()[*at]);
  }
}

QString LinePlot::readingText(double value) const {
  return fixed_y_ ? fixedNumber(value, decimalsFor(fixed_y_->span()) + 1) : shortNumber(value);
}

QString LinePlot::cursorText() const {
  if (!cursor_) return {};
  QStringList lines{tr("step %1").arg(stepNumber(*cursor_))};
  qsizetype widest = 0;
  for (const LineCurve& curve : curves_) widest = std::max(widest, curve.name.size());
  for (const LineCurve& curve : curves_) {
    const auto at = curve.data.indexAt(*cursor_);
    if (!at) continue;
    const double step = curve.data.steps()[*at];
    QString value = readingText(curve.data.values()[*at]);
    if (step != *cursor_) value = tr("%1 at %2").arg(value, stepNumber(step));
    if (curve.data.smoothing() > 0)
      value += QStringLiteral("  ≈ ") + readingText(curve.data.smoothed()[*at]);
    lines << curve.name.leftJustified(widest + 2) + value;
  }
  return lines.join(QLatin1Char('\n'));
}

void LinePlot::paintWords(QPainter& painter) const {
  const PlotLook& look = this->look();
  const QRectF axes = this->axes(), all = canvas().viewport();
  const double gap = 6 * look.unit;
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setFont(look.text);
  painter.setPen(look.palette.muted);
  painter.drawText(QRectF(gap, layout_.edge, all.width(), layout_.row), Qt::AlignVCenter, yTitle());
  if (x_labels_ && layout_.low)
    painter.drawText(QRectF(layout_.edge, axes.bottom() + gap, axes.left(), layout_.row),
                     Qt::AlignVCenter, x_title_);
  paintFlags(painter, layout_.flags, flags_, axes.bottom(), look);
  if (layout_.labels_at_ends) paintEnds(painter);
  paintNote(painter);
}

void LinePlot::paintEnds(QPainter& painter) const {
  const PlotLook& look = this->look();
  const QRectF axes = this->axes();
  const double row = layout_.row, left = axes.right() + std::ceil(6 * look.unit);
  struct Label {
    std::size_t curve;
    double value, end, top;
  };
  std::vector<Label> labels;
  for (std::size_t i = 0; i < curves_.size(); ++i) {
    const LineSeries& data = curves_[i].data;
    const auto at = data.indexAt(shownX().high);
    if (!at) continue;
    const double value = data.smoothed()[*at], y = canvas().yAxis->coordToPixel(value);
    if (std::isfinite(y) && y >= axes.top() - 1 && y <= axes.bottom() + 1)
      labels.push_back({i, value, y, y - row / 2});
  }
  // Spread within the axes, in order.
  std::ranges::stable_sort(labels, {}, &Label::top);
  double free = axes.top() - row / 2;
  for (Label& label : labels) free = (label.top = std::max(label.top, free)) + row;
  double limit = axes.bottom() + row / 2;
  for (auto label = labels.rbegin(); label != labels.rend(); ++label)
    limit = label->top = std::min(label->top, limit - row);
  for (const Label& label : labels) {
    const LineCurve& curve = curves_[label.curve];
    const QColor colour = look.seriesColour(int(label.curve));
    if (curve.data.steps().back() >= shownX().high) {
      painter.setPen(QPen(colour, look.unit));
      painter.drawLine(QPointF(axes.right(), label.end),
                       QPointF(left + 5 * look.unit, label.top + row / 2));
    }
    QRectF box(left + 8 * look.unit, label.top, canvas().viewport().right() + 4 - left, row);
    painter.setFont(look.strong);
    painter.setPen(colour);
    painter.drawText(box, Qt::AlignVCenter, curve.name);
    box.translate(QFontMetricsF(look.strong).horizontalAdvance(curve.name) + 6 * look.unit, 0);
    painter.setFont(look.number);
    painter.setPen(look.palette.text);
    painter.drawText(box, Qt::AlignVCenter, readingText(label.value));
  }
}

void LinePlot::paintNote(QPainter& painter) const {
  const QString words = note();
  if (words.isEmpty()) return;
  const PlotLook& look = this->look();
  const double pad = 4 * look.unit;
  painter.setFont(look.text);
  const QRectF box =
      painter.boundingRect(axes().adjusted(3 * pad, pad, -3 * pad, -2 * pad),
                           Qt::AlignHCenter | Qt::AlignBottom | Qt::TextWordWrap, words);
  painter.fillRect(box.adjusted(-pad, 0, pad, 0), look.palette.panel);
  painter.setPen(look.palette.muted);
  painter.drawText(box, Qt::AlignCenter | Qt::TextWordWrap, words);
}

}  // namespace tfm::ui
