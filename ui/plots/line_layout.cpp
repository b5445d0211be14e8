// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/line_layout.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "ui/figure/number_text.h"

namespace tfm::ui {
namespace {

struct Text {
  Q_DECLARE_TR_FUNCTIONS(LinePlot)
};

AxisRange followedX(const LineScene& scene) {
  std::optional<AxisRange> range;
  for (const LineCurve& curve : scene.curves) {
    if (curve.data.empty()) continue;
    const double first = curve.data.steps().front(), last = curve.data.steps().back();
    if (!range) range = AxisRange{first, last};
    range = AxisRange{std::min(range->low, first), std::max(range->high, last)};
  }
  if (!range) return {};
  // A single step is the only tick, where curves end.
  if (range->span() <= 0) range->low = range->high - 0.5;
  return *range;
}

/// The drawn values with some air; decimation has kept all extremes.
AxisRange followedY(const LineScene& scene, const std::vector<LineLayout::Curve>& curves) {
  double low = INFINITY, high = -INFINITY;
  for (const LineLayout::Curve& curve : curves)
    for (const Polyline* line : {&curve.raw, &curve.smooth})
      for (double value : line->y) {
        if (std::isnan(value)) continue;
        low = std::min(low, value);
        high = std::max(high, value);
      }
  if (low > high) return scene.logarithmic ? AxisRange{0.1, 1} : AxisRange{};
  for (const LineCurve& curve : scene.curves) {
    if (!curve.interval || (scene.logarithmic && curve.interval->low <= 0)) continue;
    low = std::min(low, curve.interval->low);
    high = std::max(high, curve.interval->high);
  }
  if (scene.y_from_zero && !scene.logarithmic) low = std::min(low, 0.0);
  return padded(low, high, scene.logarithmic);
}

AxisRange shownY(const LineScene& scene, const std::vector<LineLayout::Curve>& curves) {
  if (scene.zoom_y) return *scene.zoom_y;
  if (scene.fixed_y && (!scene.logarithmic || scene.fixed_y->low > 0))
    return padded(scene.fixed_y->low, scene.fixed_y->high, scene.logarithmic);
  return followedY(scene, curves);
}

QString titleOfY(const LineScene& scene, const AxisRange& shown) {
  if (scene.logarithmic)
    return scene.y_title.isEmpty() ? Text::tr("logarithmic")
                                   : Text::tr("%1, logarithmic").arg(scene.y_title);
  if (!scene.names_y_start || shown.low <= 0) return scene.y_title;
  return Text::tr("%1 (axis starts at %2, not at 0)").arg(scene.y_title, tickNumber(shown.low));
}

std::vector<LineLayout::Curve> decimatedCurves(const LineScene& scene, const AxisRange& x,
                                               int columns) {
  std::vector<LineLayout::Curve> curves;
  for (const LineCurve& curve : scene.curves) {
    const LineSeries& data = curve.data;
    LineLayout::Curve drawn;
    const bool smoothed = data.smoothing() > 0;
    Polyline values = decimate(data.steps(), data.values(), x, columns, scene.logarithmic);
    if (smoothed) {
      // Two pixels wide, so half as many columns.
      drawn.smooth =
          averaged(data.steps(), data.smoothed(), x, std::max(columns / 2, 1), scene.logarithmic);
      drawn.raw = std::move(values);
    } else {
      drawn.smooth = std::move(values);
    }
    curves.push_back(std::move(drawn));
  }
  return curves;
}

QString noteFor(const LineScene& scene, const std::vector<LineLayout::Curve>& curves) {
  std::size_t drawn = 0, not_finite = 0, not_positive = 0, points = 0;
  for (std::size_t i = 0; i < curves.size(); ++i) {
    const bool smoothed = scene.curves[i].data.smoothing() > 0;
    const Polyline& line = smoothed ? curves[i].raw : curves[i].smooth;
    drawn += line.size();
    points += scene.curves[i].data.size();
    not_finite += line.not_finite;
    not_positive += line.not_positive;
  }
  if (points == 0) return Text::tr("No data yet");
  if (drawn == 0 && not_positive > 0)
    return Text::tr("Nothing to show: a logarithmic axis needs values above 0");
  QStringList notes;
  if (not_positive > 0)
    notes << Text::tr("%1 values at or below 0 are not on a logarithmic axis").arg(not_positive);
  if (not_finite > 0) notes << Text::tr("%1 values are not numbers").arg(not_finite);
  return notes.join(QStringLiteral(" · "));
}

/// Moves boxes of height `row` apart within [top, bottom] while they keep their order.
void spread(std::vector<LineLayout::Label>& labels, double top, double bottom, double row) {
  std::sort(labels.begin(), labels.end(),
            [](const auto& a, const auto& b) { return a.box.top() < b.box.top(); });
  double free = top;
  for (auto& label : labels) {
    label.box.moveTop(std::max(label.box.top(), free));
    free = label.box.bottom();
  }
  double limit = bottom;
  for (auto label = labels.rbegin(); label != labels.rend(); ++label) {
    label->box.moveTop(std::min(label->box.top(), limit - row));
    limit = label->box.top();
  }
}

/// Legend boxes beside the title from `start`, or in rows below it where they do not all fit there;
/// returns the number of further rows.
int placeLegend(const LineScene& scene, const PlotLook& look, double start, double left,
                double right, LineLayout& layout) {
  const QFontMetricsF metrics(look.strong);
  const double sample = 28 * look.unit, gap = 14 * look.unit;
  double total = start - gap;
  for (const LineCurve& curve : scene.curves)
    total += sample + metrics.horizontalAdvance(curve.name) + gap;
  int rows = total > right ? 1 : 0;
  double x = rows > 0 ? left : start;
  for (std::size_t i = 0; i < scene.curves.size(); ++i) {
    const double width = sample + metrics.horizontalAdvance(scene.curves[i].name);
    if (x > left && x + width > right) {
      x = left;
      ++rows;
    }
    const double y = layout.edge + rows * layout.row;
    layout.labels.push_back({static_cast<int>(i), {x, y, width, layout.row}});
    x += width + gap;
  }
  return rows;
}

void placeEndLabels(double left, double room, LineLayout& layout) {
  for (std::size_t i = 0; i < layout.curves.size(); ++i) {
    const auto& end = layout.curves[i].end;
    if (!end) continue;
    layout.labels.push_back(
        {static_cast<int>(i), {left, end->y() - layout.row / 2, room, layout.row}});
  }
  const QRectF& rect = layout.frame.rect;
  spread(layout.labels, rect.top() - layout.row / 2, rect.bottom() + layout.row / 2, layout.row);
}

/// Flags in up to `rows_allowed` rows, so that near ones keep their texts; returns the rows used.
int placeFlags(const LineScene& scene, const PlotLook& look, int rows_allowed, double right,
               LineLayout& layout) {
  const PlotFrame& frame = layout.frame;
  std::vector<LineLayout::Flag>& flags = layout.flags;
  for (std::size_t i = 0; i < scene.flags.size(); ++i) {
    const double step = scene.flags[i].step;
    if (step >= frame.x.low && step <= frame.x.high)
      flags.push_back({static_cast<int>(i), crisp(frame.xToPixel(step)), {}, {}});
  }
  std::sort(flags.begin(), flags.end(), [](const auto& a, const auto& b) { return a.x < b.x; });
  const QFontMetricsF metrics(look.text);
  const double mark = LineLayout::Flag::kMark * look.unit;
  std::vector<double> taken(static_cast<std::size_t>(rows_allowed), -INFINITY);
  std::size_t rows = 0;
  int hidden = 0;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    LineLayout::Flag& flag = flags[i];
    const double first = flags[i - std::size_t(hidden)].x;  // of those that this one counts
    QString text = scene.flags[static_cast<std::size_t>(flag.index)].text;
    if (hidden > 0) text = Text::tr("%1 changes · %2").arg(hidden + 1).arg(text);
    const double next = i + 1 < flags.size() ? flags[i + 1].x - 4 * look.unit : right;
    const auto free =
        std::find_if(taken.begin(), taken.end(), [&](double x) { return x <= flag.x; });
    const std::size_t row = free == taken.end() ? taken.size() - 1 : free - taken.begin();
    // In the last row the next flag has nowhere to go.
    const bool last_row = row + 1 == taken.size();
    const bool next_is_here = i + 1 < flags.size() && flags[i + 1].x < flag.x + mark;
    const double room = (last_row ? next : right) - flag.x - mark;
    const double before = first - std::max(taken[row], frame.rect.left()) - mark;
    flag.leftwards =
        metrics.horizontalAdvance(text) > room && before > room && !(last_row && next_is_here);
    const double given = flag.leftwards ? before : room;
    if (given > 40 * look.unit || metrics.horizontalAdvance(text) <= given)
      flag.text = metrics.elidedText(text, Qt::ElideRight, given);
    flag.hidden = flag.text.isEmpty() ? 0 : hidden;
    hidden = flag.text.isEmpty() ? hidden + 1 : 0;
    const double width = mark + metrics.horizontalAdvance(flag.text);
    flag.box = QRectF(flag.leftwards ? first - width : flag.x,
                      static_cast<double>(row) * layout.row, width, layout.row);
    if (!flag.text.isEmpty()) taken[row] = std::max(flag.x, flag.box.right()) + 4 * look.unit;
    rows = std::max(rows, row + 1);
  }
  return static_cast<int>(rows);
}

double rowHeight(const PlotLook& look) {
  return std::ceil(QFontMetricsF(look.text).height() + 2 * look.unit);
}

double edgeOf(const PlotLook& look) { return std::ceil(5 * look.unit); }

double tickRow(const PlotLook& look) {
  return std::ceil(QFontMetricsF(look.number).height() + 8 * look.unit);
}

/// Where a row of text costs much of the height.
bool isLow(const PlotLook& look, const QSizeF& size) {
  return size.height() < 11 * rowHeight(look);
}

double roomAtEnds(const LineScene& scene, const PlotLook& look) {
  return std::ceil(std::max(labelRoom(scene, look), scene.least_label_room));
}

/// What lies below the axes.
double roomBelow(const LineScene& scene, const PlotLook& look, const QSizeF& size) {
  const double axis = tickRow(look) + (isLow(look, size) ? 0 : rowHeight(look));
  return (scene.x_labels ? axis : std::ceil(6 * look.unit)) + edgeOf(look);
}

QRectF placeOfXTitle(const PlotLook& look, const QSizeF& size, const LineLayout& layout) {
  const QRectF& rect = layout.frame.rect;
  const double height = QFontMetricsF(look.number).height();
  if (isLow(look, size))
    return {layout.edge, rect.bottom() + 7 * look.unit, rect.left() - layout.edge, height};
  return {rect.left(), size.height() - layout.row - layout.edge, rect.width(), layout.row};
}

}  // namespace

QString readingText(const LineScene& scene, double value) {
  return scene.fixed_y ? fixedNumber(value, decimalsFor(scene.fixed_y->span()) + 1)
                       : shortNumber(value);
}

double labelRoom(const LineScene& scene, const PlotLook& look) {
  double widest = 0;
  for (const LineCurve& curve : scene.curves)
    widest = std::max(widest, QFontMetricsF(look.strong).horizontalAdvance(curve.name));
  // A leader line, the name, the longest number and the gaps between them.
  return 28 * look.unit + widest +
         QFontMetricsF(look.number).horizontalAdvance(QStringLiteral("0.000123"));
}

bool hasRoomAtEnds(const LineScene& scene, const PlotLook& look, const QSizeF& size) {
  const double rows = rowHeight(look) * static_cast<double>(3 + scene.curves.size());
  return roomAtEnds(scene, look) < 0.3 * size.width() &&
         size.height() > roomBelow(scene, look, size) + rows;
}

LineLayout layoutLines(const LineScene& scene, const PlotLook& look, const QSizeF& size,
                       bool legend) {
  LineLayout layout;
  layout.row = rowHeight(look);
  layout.edge = edgeOf(look);
  const double gap = std::ceil(6 * look.unit);
  const double bottom = roomBelow(scene, look, size);
  const double room = roomAtEnds(scene, look);
  layout.labels_at_ends = !legend && hasRoomAtEnds(scene, look, size);

  PlotFrame& frame = layout.frame;
  const double left =
      std::ceil(QFontMetricsF(look.number).horizontalAdvance(QStringLiteral("0.0001")) + 2 * gap);
  const double right = layout.labels_at_ends ? room : std::ceil(12 * look.unit);
  frame.logarithmic = scene.logarithmic;
  frame.x = scene.zoom_x.value_or(followedX(scene));
  frame.rect = QRectF(left, 0, std::max(size.width() - left - right, 1.0), 1);

  layout.curves =
      decimatedCurves(scene, frame.x, std::max(1, static_cast<int>(frame.rect.width())));
  frame.y = shownY(scene, layout.curves);
  layout.y_title = titleOfY(scene, frame.y);

  int rows = 1;
  if (!layout.labels_at_ends && scene.curves.size() > 1) {
    const double title = QFontMetricsF(look.text).horizontalAdvance(layout.y_title) + 3 * gap;
    rows += placeLegend(scene, look, title, gap, size.width() - gap, layout);
  }
  const int flag_rows = size.height() > 14 * layout.row ? 2 : 1;
  const int rows_of_flags = placeFlags(scene, look, flag_rows, size.width(), layout);
  for (LineLayout::Flag& flag : layout.flags)
    flag.box.translate(0, layout.edge + rows * layout.row);
  const double top =
      std::ceil(layout.edge + (rows + (rows_of_flags > 0 ? rows_of_flags : 0.4)) * layout.row);
  frame.rect.setTop(top);
  frame.rect.setHeight(std::max(size.height() - top - bottom, 1.0));
  layout.x_title = placeOfXTitle(look, size, layout);

  layout.note = noteFor(scene, layout.curves);
  for (std::size_t i = 0; i < layout.curves.size(); ++i) {
    LineLayout::Curve& curve = layout.curves[i];
    curve.raw = clipped(curve.raw, frame);
    curve.smooth = clipped(curve.smooth, frame);
    if (curve.smooth.size() == 0) continue;
    curve.end =
        QPointF(frame.xToPixel(curve.smooth.x.back()), frame.yToPixel(curve.smooth.y.back()));
    const LineSeries& data = scene.curves[i].data;
    if (const auto at = data.indexAt(frame.x.high)) curve.last = data.smoothed()[*at];
  }
  if (layout.labels_at_ends) placeEndLabels(frame.rect.right() + gap, room - gap, layout);
  return layout;
}

}  // namespace tfm::ui
