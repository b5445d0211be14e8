// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/elastic/scatter_layout.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "ui/elastic/mark_shape.h"
#include "ui/elastic/score_words.h"
#include "ui/figure/number_text.h"
#include "ui/style/style.h"

namespace tfm::ui {
namespace {

using Margins = ScatterMargins;

struct Text {
  Q_DECLARE_TR_FUNCTIONS(AccuracyScatter)
};

constexpr std::ptrdiff_t kCrowd = 40;  // Mix'n'Match marks; more error bars would be a grey wall
constexpr double kBeside = 9;          // from a trained mark to its separately trained counterpart
constexpr double kNameRoom = 0.03;     // of the x axis, for the leftmost name
constexpr double kTop = 1.03;          // so that a mark at accuracy 1 is not cut

/// A unit that keeps tick labels short, and its prefix.
struct Unit {
  double size;
  const char* prefix;
  const char* word;
};
constexpr Unit kUnits[] = {
    {1e9, "G", QT_TRANSLATE_NOOP("AccuracyScatter", "billions of parameters")},
    {1e6, "M", QT_TRANSLATE_NOOP("AccuracyScatter", "millions of parameters")},
    {1e3, "k", QT_TRANSLATE_NOOP("AccuracyScatter", "thousands of parameters")},
    {1, "", QT_TRANSLATE_NOOP("AccuracyScatter", "parameters")}};

const Unit& unitFor(double largest) {
  return *std::find_if(std::begin(kUnits), std::end(kUnits) - 1,
                       [&](const Unit& unit) { return largest >= unit.size; });
}

void nameX(const ScatterScene& scene, ScatterLayout& layout) {
  if (scene.axis == CostAxis::Milliseconds) {
    layout.x_title = Text::tr("milliseconds per example");
    return;
  }
  const Unit& unit = unitFor(layout.frame.x.high);
  layout.x_unit = unit.size;
  layout.x_title = scene.axis == CostAxis::Parameters
                       ? Text::tr(unit.word)
                       : Text::tr("%1FLOPs of one forward pass").arg(QLatin1String(unit.prefix));
}

bool isCrowded(const ScatterScene& scene) {
  return std::ranges::count(scene.marks, ElasticKind::Mixed, &ElasticMark::kind) > kCrowd;
}

bool hasInterval(const ElasticMark& mark, bool crowded) {
  return mark.kind != ElasticKind::Mixed || !crowded;
}

AxisRange rangeOfX(const ScatterScene& scene) {
  double low = INFINITY, high = -INFINITY;
  for (const ElasticMark& mark : scene.marks) {
    low = std::min(low, costOf(mark, scene.axis));
    high = std::max(high, costOf(mark, scene.axis));
  }
  if (low > high) return {};
  AxisRange range = padded(low, high);
  range.low -= kNameRoom * range.span();
  return range;
}

AxisRange rangeOfY(const ScatterScene& scene, bool crowded) {
  double low = INFINITY, high = -INFINITY;
  for (const ElasticMark& mark : scene.marks) {
    const double mean = mark.accuracy.mean, deviation = mark.accuracy.deviation;
    const bool bars = hasInterval(mark, crowded);
    low = std::min(low, bars ? std::min(mark.interval.low, mean - deviation) : mean);
    high = std::max(high, bars ? std::max(mark.interval.high, mean + deviation) : mean);
  }
  if (low > high) return padded(0, 1);
  const AxisRange range = padded(scene.from_zero ? 0.0 : std::max(low, 0.0), std::min(high, 1.0));
  return {range.low, std::min(range.high, kTop)};
}

void addLegend(const ScatterScene& scene, bool crowded, ScatterLayout& layout) {
  const auto add = [&](bool there, ScatterSample sample, const QString& text) {
    if (there) layout.legend.push_back({sample, text, {}});
  };
  const auto any = [&](auto rule) {
    return std::any_of(scene.marks.begin(), scene.marks.end(), rule);
  };
  const auto has = [&](ElasticKind kind) {
    return any([kind](const ElasticMark& mark) { return mark.kind == kind; });
  };
  add(has(ElasticKind::Trained), ScatterSample::Trained, Text::tr("trained"));
  add(has(ElasticKind::Mixed), ScatterSample::Mixed, kindText(ElasticKind::Mixed));
  add(has(ElasticKind::Separate), ScatterSample::Separate,
      has(ElasticKind::Trained) ? Text::tr("separate, drawn beside")
                                : kindText(ElasticKind::Separate));
  add(!scene.front.empty(), ScatterSample::Front, Text::tr("Pareto line"));
  const bool bars = any([&](const ElasticMark& mark) { return hasInterval(mark, crowded); });
  add(bars, ScatterSample::Examples,
      crowded ? Text::tr("95 % interval (examples), not of Mix'n'Match")
              : Text::tr("95 % interval (examples)"));
  add(any([](const ElasticMark& mark) { return mark.seeds.size() > 1; }), ScatterSample::Seeds,
      Text::tr("± deviation (seeds)"));
}

/// In rows; returns their number.
int placeLegend(const QRectF& area, ScatterLayout& layout) {
  const QFontMetricsF metrics(Style::textFace(12));
  const double gap = 14, left = area.left() + 6;
  double x = left;
  int row = 0;
  for (ScatterLayout::LegendEntry& entry : layout.legend) {
    const double width = Margins::kSample + 6 + metrics.horizontalAdvance(entry.text) + 2;
    if (x > left && x + width > area.right()) {
      x = left;
      ++row;
    }
    entry.box = QRectF(x, area.top() + row * Margins::kLegendRow, width, Margins::kLegendRow);
    x += width + gap;
  }
  return layout.legend.empty() ? 0 : row + 1;
}

ScatterLayout::Spot spotOf(const ScatterScene& scene, const ElasticMark& mark, bool crowded,
                           const PlotFrame& frame) {
  ScatterLayout::Spot spot;
  const double mean = mark.accuracy.mean, deviation = mark.accuracy.deviation;
  spot.place = QPointF(frame.xToPixel(costOf(mark, scene.axis)), frame.yToPixel(mean));
  const bool has_twin =
      mark.kind == ElasticKind::Separate &&
      std::any_of(scene.marks.begin(), scene.marks.end(), [&](const ElasticMark& other) {
        return other.kind == ElasticKind::Trained && other.submodel == mark.submodel;
      });
  // They have the same size, so their marks and bars would overlap.
  if (has_twin) spot.place.rx() += kBeside;
  spot.has_interval = hasInterval(mark, crowded);
  spot.interval_low = frame.yToPixel(mark.interval.low);
  spot.interval_high = frame.yToPixel(mark.interval.high);
  spot.spread_low = frame.yToPixel(mean - deviation);
  spot.spread_high = frame.yToPixel(mean + deviation);
  return spot;
}

/// A step function: a slope would suggest that sizes between exist.
std::vector<QPointF> stairs(const ScatterScene& scene, const ScatterLayout& layout) {
  std::vector<QPointF> line;
  for (const std::size_t place : scene.front) {
    const QPointF& next = layout.spots[place].place;
    if (!line.empty()) line.push_back({next.x(), line.back().y()});
    line.push_back(next);
  }
  if (!line.empty()) line.push_back({layout.frame.rect.right(), line.back().y()});
  return line;
}

/// How much of `box` covers other marks and labels.
double covered(const QRectF& box, const ScatterLayout& layout) {
  double sum = 0;
  const auto add = [&](const QRectF& other) {
    const QRectF common = box & other;
    sum += common.width() * common.height();
  };
  for (const ScatterLayout::Spot& spot : layout.spots) {
    const double r = kMarkRadius;
    add({spot.place.x() - r, spot.place.y() - r, 2 * r, 2 * r});
    if (spot.has_interval)
      add({spot.place.x() - 2, spot.interval_high, 4, spot.interval_low - spot.interval_high});
  }
  for (const ScatterLayout::Label& label : layout.labels) add(label.box);
  const QRectF inside = box & layout.frame.rect.adjusted(0, -Margins::kHeadroom, 0, 0);
  return sum + 4 * (box.width() * box.height() - inside.width() * inside.height());
}

/// Above its bar, else beside the mark where it covers least.
QRectF placeOfName(const QString& name, const ScatterLayout::Spot& spot,
                   const ScatterLayout& layout) {
  const QFontMetricsF metrics(Style::textFace(12, QFont::DemiBold));
  const QSizeF size(metrics.horizontalAdvance(name) + 2, metrics.height());
  const double x = kMarkRadius + 3 + size.width() / 2, y = 0.7 * (kMarkRadius + size.height() / 2);
  const double above = spot.interval_high - spot.place.y() - size.height() / 2 - 1;
  QRectF best;
  double least = INFINITY;
  for (const QPointF& away : {QPointF(0, above), QPointF(-x, -y), QPointF(x, -y), QPointF(-x, y),
                              QPointF(x, y), QPointF(-x, 0), QPointF(x, 0)}) {
    QRectF box(QPointF(), size);
    box.moveCenter(spot.place + away);
    const double cost = covered(box, layout);
    if (cost >= least) continue;
    least = cost;
    best = box;
  }
  return best;
}

void placeLabels(const ScatterScene& scene, ScatterLayout& layout) {
  for (std::size_t i = 0; i < scene.marks.size(); ++i)
    if (scene.marks[i].kind == ElasticKind::Trained)
      layout.labels.push_back({i, placeOfName(scene.marks[i].name, layout.spots[i], layout)});
}

}  // namespace

ScatterLayout layoutScatter(const ScatterScene& scene, const QRectF& area) {
  ScatterLayout layout;
  const bool crowded = isCrowded(scene);
  addLegend(scene, crowded, layout);
  const int rows = placeLegend(area, layout);
  PlotFrame& frame = layout.frame;
  const double top =
      area.top() + rows * Margins::kLegendRow + Margins::kTitleRow + Margins::kHeadroom;
  frame.rect = QRectF(area.left() + Margins::kTickColumn, top,
                      std::max(area.width() - Margins::kTickColumn - Margins::kEnd, 1.0), 1);
  frame.rect.setBottom(std::max(area.bottom() - Margins::kTickRow - Margins::kTitleRow, top + 1));
  frame.x = rangeOfX(scene);
  frame.y = rangeOfY(scene, crowded);
  nameX(scene, layout);
  const QString accuracy = scene.held_out ? Text::tr("held-out accuracy") : Text::tr("accuracy");
  layout.y_title =
      frame.y.low > 0
          ? Text::tr("%1 (axis starts at %2, not at 0)").arg(accuracy, tickNumber(frame.y.low))
          : accuracy;
  for (const ElasticMark& mark : scene.marks)
    layout.spots.push_back(spotOf(scene, mark, crowded, frame));
  layout.front = stairs(scene, layout);
  placeLabels(scene, layout);
  return layout;
}

}  // namespace tfm::ui
