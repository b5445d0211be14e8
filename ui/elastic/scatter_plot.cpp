// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/elastic/scatter_plot.h"

#include <qcustomplot.h>

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "ui/elastic/score_columns.h"
#include "ui/figure/number_text.h"
#include "ui/plots/plot_axes.h"
#include "ui/plots/plot_legend.h"
#include "ui/style/style.h"

namespace tfm::ui {
namespace {

constexpr std::ptrdiff_t kCrowd = 40;  // of Mix'n'Match: more error bars would cover the plot
constexpr double kNameRoom = 0.03;     // of the x axis, for the smallest one's name
constexpr double kTop = 1.03;          // an accuracy of 1 keeps its whole mark
constexpr double kMaxLegend = 0.45;    // of the height, which the axes need too
// Lengths at scale 1.
constexpr double kTitleRow = 20, kTickRow = 20, kTickColumn = 46, kEnd = 14, kEdge = 6;
constexpr double kHeadroom = 12;  // above the axes, where a name may reach
constexpr double kMark = 9.5, kHollow = 7.2, kCross = 9;
constexpr double kWhisker = 6, kSpread = 6;  // widths of an interval's ends and of the seeds' bar
constexpr double kRing = 18, kBeside = 9;    // kBeside: from a trained mark to its separate twin
constexpr double kPad = 8, kAway = 14;       // of the card

/// The index of a mark among the new ones; -1 if it is gone.
int placeAmong(const std::vector<ElasticMark>& marks, const std::vector<ElasticMark>& before,
               int place) {
  if (place < 0) return -1;
  const ElasticMark& old = before[std::size_t(place)];
  const auto found = std::ranges::find_if(marks, [&](const ElasticMark& mark) {
    return mark.kind == old.kind && mark.submodel == old.submodel;
  });
  return found == marks.end() ? -1 : int(found - marks.begin());
}

/// A point that gets a label.
struct Labelled {
  QPointF place;
  double reach;  ///< half the size of its mark
  double top;    ///< the upper end of the mark and its error bar
  QSizeF label;
};

/// The place of the label that overlaps `taken` least: above `top`, or on one of the sides of the
/// mark. Area outside `limits` counts four times.
QRectF labelBox(const Labelled& point, std::span<const QRectF> taken, const QRectF& limits) {
  const auto area = [](const QRectF& box) { return box.width() * box.height(); };
  const auto covered = [&](const QRectF& box) {
    double sum = 4 * (area(box) - area(box & limits));
    for (const QRectF& other : taken) sum += area(box & other);
    return sum;
  };
  const QSizeF& size = point.label;
  const double x = point.reach + 3 + size.width() / 2;
  const double y = 0.7 * (point.reach + size.height() / 2);
  const double above = point.top - point.place.y() - size.height() / 2 - 1;
  QRectF best;
  double least = INFINITY;
  for (const QPointF& away : {QPointF(0, above), QPointF(-x, -y), QPointF(x, -y), QPointF(-x, y),
                              QPointF(x, y), QPointF(-x, 0), QPointF(x, 0)}) {
    QRectF box(QPointF(), size);
    box.moveCenter(point.place + away);
    const double cost = covered(box);
    if (cost >= least) continue;
    least = cost;
    best = box;
  }
  return best;
}

}  // namespace

ScatterPlot::ScatterPlot(Style& style, QWidget* parent)
    : PointPlot(style, parent),
      ring_(new QCPItemTracer(&canvas())),
      card_(new QCPItemText(&canvas())) {
  QCustomPlot& plot = canvas();
  plot.addLayer(QStringLiteral("bars"), plot.layer(QStringLiteral("main")), QCustomPlot::limBelow);
  addPainting("axes", [this](QPainter& painter) { paintWords(painter); });
  freeLegend(plot);
  plot.yAxis->setTicker(valueTicker());
  zoom().add(*plot.axisRect());
  ring_->setStyle(QCPItemTracer::tsCircle);
  ring_->setBrush(Qt::NoBrush);
  ring_->position->setType(QCPItemPosition::ptAbsolute);
  card_->position->setType(QCPItemPosition::ptAbsolute);
  card_->setPositionAlignment(Qt::AlignLeft | Qt::AlignTop);
  card_->setTextAlignment(Qt::AlignLeft);
  for (auto* item : std::initializer_list<QCPAbstractItem*>{ring_, card_}) {
    item->setLayer(QStringLiteral("overlay"));
    item->setClipToAxisRect(false);
    item->setVisible(false);
  }
  present({});
}

QSizeF ScatterPlot::figureSize() const { return QSizeF(style_.px(640), style_.px(360)); }

QSize ScatterPlot::minimumSizeHint() const { return {style_.px(280), style_.px(200)}; }

void ScatterPlot::setMarks(std::vector<ElasticMark> marks) {
  names_ = granularityNames(marks);
  present(std::move(marks));
}

bool ScatterPlot::countsPositions() const { return !marks_.empty() && marks_.front().by_position; }

void ScatterPlot::setHeldOut(bool held_out) {
  if (std::exchange(held_out_, held_out) != held_out) redraw();
}

void ScatterPlot::setCostAxis(CostAxis axis) {
  axis_ = axis;
  zoom().set(*canvas().xAxis, std::nullopt);
  present(marks_);
}

void ScatterPlot::setFromZero(bool from_zero) {
  from_zero_ = from_zero;
  zoom().set(*canvas().yAxis, std::nullopt);
  present(marks_);
}

void ScatterPlot::setChosen(const std::optional<Submodel>& submodel) {
  chosen_ = submodel;
  arrange(look());
  redrawLayer("overlay");
}

void ScatterPlot::present(std::vector<ElasticMark> marks) {
  // The arrow keys go from left to right.
  std::ranges::stable_sort(marks, {}, [&](const ElasticMark& mark) { return costOf(mark, axis_); });
  const std::vector<ElasticMark> before = std::exchange(marks_, std::move(marks));
  front_ = frontOf(marks_, axis_);
  crowded_ = std::ranges::count(marks_, ElasticKind::Mixed, &ElasticMark::kind) > kCrowd;
  keys_.clear();
  for (const ElasticMark& mark : marks_) keys_.push_back(costOf(mark, axis_));
  findRanges();
  makeSeries();
  pointsChanged(placeAmong(marks_, before, hoveredItem()),
                placeAmong(marks_, before, lockedItem()));
}

bool ScatterPlot::hasInterval(const ElasticMark& mark) const {
  return mark.kind != ElasticKind::Mixed || !crowded_;
}

bool ScatterPlot::isTwin(const ElasticMark& mark) const {
  return mark.kind == ElasticKind::Separate &&
         std::ranges::any_of(marks_, [&](const ElasticMark& other) {
           return other.kind == ElasticKind::Trained && other.submodel == mark.submodel;
         });
}

void ScatterPlot::findRanges() {
  all_x_ = {};
  all_y_ = padded(0, 1);
  if (!marks_.empty()) {
    double low = INFINITY, high = -INFINITY;
    for (const ElasticMark& mark : marks_) {
      const double mean = mark.accuracy.mean, deviation = mark.accuracy.deviation;
      const bool bars = hasInterval(mark);
      low = std::min(low, bars ? std::min(mark.interval.low, mean - deviation) : mean);
      high = std::max(high, bars ? std::max(mark.interval.high, mean + deviation) : mean);
    }
    all_y_ = padded(from_zero_ ? 0.0 : std::max(low, 0.0), std::min(high, 1.0));
    all_y_.high = std::min(all_y_.high, kTop);
    all_x_ = padded(keys_.front(), keys_.back());
    all_x_.low -= kNameRoom * all_x_.span();
  }
  const CostUnit unit = costUnit(axis_, all_x_.high);
  canvas().xAxis->setTicker(valueTicker(false, unit.size));
  canvas().xAxis->setLabel(unit.title);
}

QString ScatterPlot::yTitle() const {
  const QString measured = accuracyText(countsPositions());
  const QString accuracy = held_out_ ? tr("held-out %1").arg(measured) : measured;
  const double low = canvas().yAxis->range().lower;
  return low > 0 ? tr("%1 (axis starts at %2, not at 0)").arg(accuracy, tickNumber(low)) : accuracy;
}

void ScatterPlot::makeSeries() {
  canvas().clearPlottables();
  series_.clear();
  line_ = addGraph(*canvas().xAxis, *canvas().yAxis);
  line_->setLayer(QStringLiteral("bars"));
  // Level up to the next cost that buys more: a slope would promise what is between.
  line_->setLineStyle(QCPGraph::lsStepLeft);
  for (const ElasticKind kind : {ElasticKind::Mixed, ElasticKind::Separate, ElasticKind::Trained})
    for (std::size_t i = 0; i < marks_.size(); ++i) {
      if (marks_[i].kind != kind) continue;
      const bool mixed = kind == ElasticKind::Mixed;
      const bool on_front = mixed && std::ranges::find(front_, i) != front_.end();
      seriesFor(kind, mixed ? -1 : int(names_.indexOf(marks_[i].name)), on_front)
          .marks.push_back(i);
    }
  makeLegend();
}

ScatterPlot::Series& ScatterPlot::seriesFor(ElasticKind kind, int size, bool on_front) {
  const auto known = std::ranges::find_if(series_, [&](const Series& series) {
    return series.kind == kind && series.size == size && series.on_front == on_front;
  });
  if (known != series_.end()) return *known;
  QCPAxis *x = canvas().xAxis, *y = canvas().yAxis;
  Series series{kind, size, on_front, {}, addGraph(*x, *y)};
  series.graph->setLineStyle(QCPGraph::lsNone);
  for (QCPErrorBars** bars : {&series.spread, &series.interval}) {
    *bars = new QCPErrorBars(x, y);
    (*bars)->setLayer(QStringLiteral("bars"));
    (*bars)->setDataPlottable(series.graph);
    (*bars)->setSymbolGap(0);
  }
  return series_.emplace_back(std::move(series));
}

void ScatterPlot::makeLegend() {
  const auto any = [&](auto rule) { return std::ranges::any_of(marks_, rule); };
  const auto has = [&](ElasticKind kind) {
    return any([kind](const ElasticMark& mark) { return mark.kind == kind; });
  };
  // Samples in a neutral colour: series without marks.
  const auto sampleOf = [&](ElasticKind kind) {
    return seriesFor(kind, -1, kind == ElasticKind::Mixed);
  };
  const Series trained = sampleOf(ElasticKind::Trained);
  struct Entry {
    bool there;
    QCPAbstractPlottable* sample;
    QString text;
  };
  const Entry entries[] = {
      {has(ElasticKind::Trained), trained.graph, tr("trained")},
      {has(ElasticKind::Mixed), sampleOf(ElasticKind::Mixed).graph, kindText(ElasticKind::Mixed)},
      {has(ElasticKind::Separate), sampleOf(ElasticKind::Separate).graph,
       has(ElasticKind::Trained) ? tr("separate, drawn beside") : kindText(ElasticKind::Separate)},
      {!front_.empty(), line_, tr("Pareto line")},
      {any([this](const ElasticMark& mark) { return hasInterval(mark); }), trained.interval,
       crowded_ ? tr("95 % interval (examples), not of Mix'n'Match")
                : tr("95 % interval (examples)")},
      {any([](const ElasticMark& mark) { return mark.seeds.size() > 1; }), trained.spread,
       tr("± deviation (seeds)")}};
  for (const Entry& entry : entries)
    if (entry.there) {
      entry.sample->setName(entry.text);
      entry.sample->addToLegend();
    }
}

void ScatterPlot::prepare(const PlotLook& look, const QSizeF& size) const {
  QCustomPlot& plot = canvas();
  const auto px = [&](double length) { return int(std::ceil(length * look.unit)); };
  setRange(*plot.xAxis, zoom().of(*plot.xAxis).value_or(all_x_));
  setRange(*plot.yAxis, zoom().of(*plot.yAxis).value_or(all_y_));
  dressAxes(*plot.axisRect(), look);
  plot.xAxis->setBasePen(QPen(look.palette.line, look.unit));
  for (QCPAxis* axis : {plot.xAxis, plot.yAxis}) {
    axis->setTicks(!marks_.empty());
    axis->setTickLabels(!marks_.empty());
  }
  dressLegend(*plot.legend, look);
  plot.legend->setFont(look.text);
  plot.legend->setIconSize(px(16), plot.legend->iconSize().height());
  wrapLegend(*plot.legend, size.width() - px(kEdge));
  const int height = plot.legend->minimumOuterSizeHint().height();
  const bool legend = plot.legend->itemCount() > 0 && height < kMaxLegend * size.height();
  plot.legend->setVisible(legend);
  const int top = (legend ? height : 0) + px(kTitleRow + kHeadroom);
  plot.axisRect()->setMargins({px(kTickColumn), top, px(kEnd), px(kTickRow + kTitleRow)});
  const double width = std::max(size.width() - px(kTickColumn) - px(kEnd), 1.0);
  plot.xAxis->ticker()->setTickCount(std::clamp(int(width) / px(70), 2, 8));
  plot.yAxis->ticker()->setTickCount(std::clamp(int(size.height() - top) / px(40), 3, 7));
  // Of the same size, twin and granularity and their bars would cover one another.
  const double beside = kBeside * look.unit / width * plot.xAxis->range().size();
  for (std::size_t i = 0; i < marks_.size(); ++i)
    keys_[i] = costOf(marks_[i], axis_) + (isTwin(marks_[i]) ? beside : 0);
  for (const Series& series : series_) {
    dress(series, look);
    fill(series);
  }
  line_->setPen(QPen(look.faded(look.palette.text, 0.7), 1.5 * look.unit, Qt::SolidLine,
                     Qt::SquareCap, Qt::MiterJoin));
  QVector<double> costs, accuracies;
  for (const std::size_t mark : front_) {
    costs << keys_[mark];
    accuracies << marks_[mark].accuracy.mean;
  }
  if (!front_.empty()) {
    costs << std::max(costs.last(), plot.xAxis->range().upper);
    accuracies << accuracies.last();
  }
  line_->setData(costs, accuracies, true);
}

void ScatterPlot::dress(const Series& series, const PlotLook& look) const {
  const bool mixed = series.kind == ElasticKind::Mixed;
  const QColor colour = series.size < 0 ? look.palette.muted : look.seriesColour(series.size);
  const auto styleOf = [&]() -> QCPScatterStyle {
    if (mixed)
      return {QCPScatterStyle::ssCircle,
              QPen(series.on_front ? look.palette.text : colour, 1.5 * look.unit),
              look.palette.panel, kHollow * look.unit};
    if (series.kind == ElasticKind::Separate)
      return {QCPScatterStyle::ssCross, QPen(colour, 2.2 * look.unit, Qt::SolidLine, Qt::FlatCap),
              Qt::NoBrush, kCross * look.unit};
    // A rim in the background colour separates overlapping marks.
    return seriesMark(std::max(series.size, 0), QPen(look.palette.panel, look.unit),
                      kMark * look.unit, colour);
  };
  series.graph->setScatterStyle(styleOf());
  series.interval->setPen(
      QPen(mixed ? look.faded(colour, 0.4) : colour, 1.2 * look.unit, Qt::SolidLine, Qt::FlatCap));
  series.interval->setWhiskerWidth(kWhisker * look.unit);
  series.spread->setPen(
      QPen(look.faded(colour, 0.4), kSpread * look.unit, Qt::SolidLine, Qt::FlatCap));
  series.spread->setWhiskerWidth(0);
}

void ScatterPlot::fill(const Series& series) const {
  std::vector<std::size_t> marks = series.marks;
  std::ranges::sort(marks, {}, [this](std::size_t mark) { return keys_[mark]; });
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  QVector<double> keys, means, below, above, spread;
  for (const std::size_t i : marks) {
    const ElasticMark& mark = marks_[i];
    const double mean = mark.accuracy.mean, deviation = mark.accuracy.deviation;
    keys << keys_[i];
    means << mean;
    below << (hasInterval(mark) ? mean - mark.interval.low : kNone);
    above << (hasInterval(mark) ? mark.interval.high - mean : kNone);
    spread << (deviation > 0 ? deviation : kNone);
  }
  series.graph->setData(keys, means, true);
  series.interval->setData(below, above);
  series.spread->setData(spread);
}

QPointF ScatterPlot::placeOf(int mark) const {
  return {canvas().xAxis->coordToPixel(keys_[std::size_t(mark)]),
          canvas().yAxis->coordToPixel(marks_[std::size_t(mark)].accuracy.mean)};
}

QString ScatterPlot::itemText(int mark) const { return markText(marks_[std::size_t(mark)]); }

std::vector<ScatterPlot::Name> ScatterPlot::names() const {
  const double unit = look().unit, reach = kMark / 2 * unit;
  const QCPAxis& y = *canvas().yAxis;
  std::vector<QRectF> taken;
  for (std::size_t i = 0; i < marks_.size(); ++i) {
    const QPointF place = placeOf(int(i));
    taken.emplace_back(place.x() - reach, place.y() - reach, 2 * reach, 2 * reach);
    if (hasInterval(marks_[i]))
      taken.emplace_back(QPointF(place.x() - 2 * unit, y.coordToPixel(marks_[i].interval.high)),
                         QPointF(place.x() + 2 * unit, y.coordToPixel(marks_[i].interval.low)));
  }
  const QRectF axes = canvas().axisRect()->rect();
  const QFontMetricsF metrics(look().strong);
  std::vector<Name> names;
  for (std::size_t i = 0; i < marks_.size(); ++i) {
    if (marks_[i].kind != ElasticKind::Trained || !isShown(placeOf(int(i)))) continue;
    const Labelled point{placeOf(int(i)), reach, y.coordToPixel(marks_[i].interval.high),
                         QSizeF(metrics.horizontalAdvance(marks_[i].name) + 2, metrics.height())};
    names.push_back({i, labelBox(point, taken, axes.adjusted(0, -kHeadroom * unit, 0, 0))});
    taken.push_back(names.back().box);
  }
  return names;
}

void ScatterPlot::paintWords(QPainter& painter) const {
  const QRectF axes = canvas().axisRect()->rect();
  const double unit = look().unit, row = kTitleRow * unit;
  painter.setFont(look().text);
  painter.setPen(look().palette.muted);
  painter.drawText(QRectF(kEdge * unit, axes.top() - kHeadroom * unit - row, axes.right(), row),
                   Qt::AlignVCenter, yTitle());
  if (marks_.empty())
    painter.drawText(axes, Qt::AlignCenter | Qt::TextWordWrap, nothingMeasuredText());
  painter.setFont(look().strong);
  painter.setPen(look().palette.text);
  for (const Name& name : names())
    painter.drawText(name.box.adjusted(0, 0, 2, 0), Qt::AlignCenter, marks_[name.mark].name);
}

void ScatterPlot::arrange(const PlotLook& look) const {
  PointPlot::arrange(look);
  placeLegend(*canvas().legend, {kEdge * look.unit, 0});
  const auto chosen = std::ranges::find_if(marks_, [this](const ElasticMark& mark) {
    return mark.kind != ElasticKind::Separate && mark.submodel == chosen_;
  });
  const int mark = int(chosen - marks_.begin());
  ring_->setVisible(chosen != marks_.end() && isShown(placeOf(mark)));
  if (ring_->visible()) ring_->position->setCoords(placeOf(mark));
  ring_->setSize(kRing * look.unit);
  ring_->setPen(QPen(look.palette.mark, 2.5 * look.unit));
  showCard(look);
}

void ScatterPlot::showCard(const PlotLook& look) const {
  const int point = hoveredItem() >= 0 ? hoveredItem() : lockedItem();
  card_->setVisible(point >= 0 && isShown(placeOf(point)));
  if (!card_->visible()) return;
  const QRectF area = canvas().viewport();
  const QFontMetricsF metrics(look.number);
  const double pad = kPad * look.unit;
  QStringList lines = markLines(marks_[std::size_t(point)]);
  lines = lines.mid(0, std::max(1, int((area.height() - 2 * pad) / metrics.lineSpacing())));
  for (QString& line : lines)
    line = metrics.elidedText(line, Qt::ElideRight, area.width() - 2 * pad - 2);
  card_->setText(lines.join(QLatin1Char('\n')));
  card_->setFont(look.number);
  card_->setColor(look.palette.text);
  card_->setPadding({int(pad), int(pad), int(pad), int(pad)});
  card_->setBrush(look.palette.raised);
  card_->setPen(QPen(look.palette.line, look.unit));
  // Below the mark, so that cheaper and better marks stay visible.
  const QPointF place = placeOf(point);
  const QPointF size = card_->bottomRight->pixelPosition() - card_->topLeft->pixelPosition();
  const double away = kAway * look.unit;
  double x = place.x() + away, y = place.y() - pad - metrics.lineSpacing() / 2;
  if (x + size.x() > area.right()) x = place.x() - away - size.x();
  x = std::clamp(x, 0.0, std::max(area.right() - size.x(), 0.0));
  y = std::clamp(y, 0.0, std::max(area.bottom() - size.y(), 0.0));
  card_->position->setCoords(std::round(x), std::round(y));
}

}  // namespace tfm::ui
