// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/polyline.h"

#include <QPointF>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/base/check.h"
#include "ui/plots/plot_frame.h"

namespace tfm::ui {
namespace {

constexpr double kPenUp = std::numeric_limits<double>::quiet_NaN();

void add(Polyline& line, double x, double y) {
  line.x.push_back(x);
  line.y.push_back(y);
}

void liftPen(Polyline& line, double x) {
  if (!line.y.empty() && !std::isnan(line.y.back())) add(line, x, kPenUp);
}

bool counted(double value, bool logarithmic, Polyline& line) {
  if (!std::isfinite(value)) return ++line.not_finite, false;
  if (logarithmic && value <= 0) return ++line.not_positive, false;
  return true;
}

using Values = std::span<const double>;

/// Adds first, smallest, largest and last of the points [begin, end), in their order.
void addExtremes(Values x, Values y, std::size_t begin, std::size_t end, bool logarithmic,
                 Polyline& line) {
  std::size_t first = end, last = end, low = end, high = end;
  for (std::size_t i = begin; i < end; ++i) {
    if (!counted(y[i], logarithmic, line)) continue;
    if (first == end) first = low = high = i;
    if (y[i] < y[low]) low = i;
    if (y[i] > y[high]) high = i;
    last = i;
  }
  if (first == end) return liftPen(line, x[begin]);
  std::array<std::size_t, 4> kept = {first, low, high, last};
  std::sort(kept.begin(), kept.end());
  const auto kept_end = std::unique(kept.begin(), kept.end());
  for (auto i = kept.begin(); i != kept_end; ++i) add(line, x[*i], y[*i]);
}

/// Adds the centre of the points [begin, end).
void addMean(Values x, Values y, std::size_t begin, std::size_t end, bool logarithmic,
             Polyline& line) {
  double x_sum = 0, y_sum = 0, count = 0;
  for (std::size_t i = begin; i < end; ++i) {
    if (!counted(y[i], logarithmic, line)) continue;
    x_sum += x[i];
    y_sum += y[i];
    ++count;
  }
  if (count == 0) return liftPen(line, x[begin]);
  add(line, x_sum / count, y_sum / count);
}

/// Calls `add_column` for the points of each column, or copies them where they are few.
template <class AddColumn>
Polyline reduced(Values x, Values y, const AxisRange& range, int columns, std::size_t few,
                 bool logarithmic, AddColumn add_column) {
  check(x.size() == y.size(), "polyline: as many x as y");
  check(columns > 0, "polyline: at least one column");
  Polyline line;
  const auto index = [&](auto place) { return static_cast<std::size_t>(place - x.begin()); };
  std::size_t begin = index(std::lower_bound(x.begin(), x.end(), range.low));
  std::size_t end = index(std::upper_bound(x.begin(), x.end(), range.high));
  if (begin > 0) --begin;
  if (end < x.size()) ++end;
  if (end - begin <= few) {
    for (std::size_t i = begin; i < end; ++i) {
      if (counted(y[i], logarithmic, line))
        add(line, x[i], y[i]);
      else
        liftPen(line, x[i]);
    }
    return line;
  }
  const double width = range.span() / columns;
  for (int column = 0; column < columns && begin < end; ++column) {
    const double border = range.low + (column + 1) * width;
    const bool last = column == columns - 1;
    const std::size_t next =
        last ? end : index(std::lower_bound(x.begin() + begin, x.begin() + end, border));
    if (next > begin) add_column(x, y, begin, next, logarithmic, line);
    begin = next;
  }
  return line;
}

/// Cuts the segment a-b to `rect` (Liang and Barsky 1984). False when nothing of it is inside.
bool cut(QPointF& a, QPointF& b, const QRectF& rect) {
  const QPointF d = b - a;
  double enter = 0, leave = 1;
  const std::array<double, 4> slope = {-d.x(), d.x(), -d.y(), d.y()};
  const std::array<double, 4> room = {a.x() - rect.left(), rect.right() - a.x(), a.y() - rect.top(),
                                      rect.bottom() - a.y()};
  for (int side = 0; side < 4; ++side) {
    if (slope[side] == 0) {
      if (room[side] < 0) return false;
      continue;
    }
    const double share = room[side] / slope[side];
    (slope[side] < 0 ? enter : leave) =
        slope[side] < 0 ? std::max(enter, share) : std::min(leave, share);
  }
  if (enter > leave) return false;
  b = a + leave * d;
  a += enter * d;
  return true;
}

}  // namespace

Polyline decimate(Values x, Values y, const AxisRange& range, int columns, bool logarithmic) {
  return reduced(x, y, range, columns, 4 * static_cast<std::size_t>(columns), logarithmic,
                 addExtremes);
}

Polyline averaged(Values x, Values y, const AxisRange& range, int columns, bool logarithmic) {
  return reduced(x, y, range, columns, static_cast<std::size_t>(columns), logarithmic, addMean);
}

Polyline clipped(const Polyline& line, const PlotFrame& frame) {
  Polyline result;
  result.not_finite = line.not_finite;
  result.not_positive = line.not_positive;
  const auto pixel = [&](std::size_t i) {
    return QPointF(frame.xToPixel(line.x[i]), frame.yToPixel(line.y[i]));
  };
  // A lone point has no segment, but is drawn as a dot.
  if (line.size() == 1 && frame.rect.contains(pixel(0))) return line;
  QPointF end;
  bool pen_down = false;
  for (std::size_t i = 0; i + 1 < line.size(); ++i) {
    if (std::isnan(line.y[i]) || std::isnan(line.y[i + 1])) {
      pen_down = false;
      continue;
    }
    QPointF from = pixel(i), to = pixel(i + 1);
    if (!cut(from, to, frame.rect)) {
      pen_down = false;
      continue;
    }
    if (!pen_down || from != end) {
      liftPen(result, frame.pixelToX(from.x()));
      add(result, frame.pixelToX(from.x()), frame.pixelToY(from.y()));
    }
    add(result, frame.pixelToX(to.x()), frame.pixelToY(to.y()));
    end = to;
    pen_down = true;
  }
  return result;
}

}  // namespace tfm::ui
