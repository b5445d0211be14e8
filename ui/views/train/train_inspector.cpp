// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/train/train_inspector.h"

#include <QStringList>
#include <algorithm>
#include <cmath>

#include "ui/document/moments.h"
#include "ui/document/observing.h"
#include "ui/document/training.h"
#include "ui/figure/number_text.h"
#include "ui/growth/parameter_caption.h"
#include "ui/plots/line_plot.h"
#include "ui/style/style.h"
#include "ui/widgets/bar_list.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/section.h"
#include "ui/widgets/segmented.h"

namespace tfm::ui {
namespace {

/// The query of a cross-attention and the norm of that block are both in "decoder 1 cross", counted
/// from 1; short enough to fit beside its bar.
QString groupOf(const ParameterTag& tag) {
  const Site& site = tag.site;
  QStringList words{placeWords({site.stack})};
  if (site.layer >= 0) words << QString::number(site.layer + 1);
  words << (site.kind == BlockKind{} ? partWords(tag.part) : groupWords(tag).section(' ', 0, 0));
  words.removeAll(QString());
  return words.join(' ');
}

constexpr double kMinWidth = 220;
constexpr int kCurvePoints = 200;

/// How far ahead the schedule is drawn.
std::int64_t horizon(const train::TrainConfig& config, std::int64_t step) {
  const train::ScheduleConfig& s = config.schedule;
  constexpr std::int64_t kMin = 1000;
  std::int64_t end = std::max(kMin, config.stop.steps);
  if (s.kind == train::ScheduleKind::WarmupCosine) end = std::max(end, s.total_steps);
  if (s.kind == train::ScheduleKind::WarmupExponential)
    end = std::max(end, s.warmup_steps + s.decay_begin + 10 * s.decay_steps);
  return step > end ? step + step / 2 : end;
}

}  // namespace

std::vector<BarRow> normGroups(std::span<const observe::ParameterNorm> norms, NormSide side) {
  std::vector<BarRow> groups;
  for (const observe::ParameterNorm& norm : norms) {
    const QString name = groupOf(norm.tag);
    const double length = side == NormSide::Gradients ? norm.gradient : norm.value;
    const auto same = [&](const BarRow& group) { return group.label == name; };
    auto group = std::find_if(groups.begin(), groups.end(), same);
    if (group == groups.end()) group = groups.insert(groups.end(), BarRow{name, 0.0});
    group->value = std::hypot(group->value, length);
  }
  return groups;
}

TrainInspector::TrainInspector(Style& style, Training& training, Moments& moments,
                               Observing& observing, QWidget* parent)
    : SideZone(style, kMinWidth, parent),
      training_(training),
      moments_(moments),
      observing_(observing),
      schedule_(new LinePlot(style)),
      gradient_(new LinePlot(style)),
      side_(new Segmented(style, {tr("Gradients"), tr("Weights")})),
      blocks_(new BarList(style)),
      no_gradient_(wrappedLabel(
          "muted", tr("There is no gradient at this moment. Every training step computes one."))),
      now_(*this, [this] { showNow(); }) {
  schedule_->setTitle(tr("Learning rate"));
  schedule_->addSeries(tr("planned"), false);
  schedule_->setFromZero(true);
  addSection(tr("Learning rate"), {schedule_},
             tr("How large a step is, as planned and now (vertical line)."))
      ->setFigure(schedule_);

  gradient_->setTitle(tr("Gradient norm"));
  gradient_->setAxisTitles(tr("step"), tr("norm"));
  gradient_->addSeries(tr("gradient"));
  gradient_->setLogarithmic(true);
  addSection(tr("Gradient"), {gradient_}, tr("The norm of the whole gradient before clipping."))
      ->setFigure(gradient_);
  addSection(tr("By block"), {side_, blocks_, no_gradient_},
             tr("Size of the gradient, or of the weights (norm), in each block at this step."))
      ->setFigure(blocks_);

  connect(side_, &Segmented::currentChanged, this, &TrainInspector::showBlocks);
  connect(&observing_, &Observing::snapshotChanged, this, &TrainInspector::showBlocks);
  connect(&training_, &Training::replaced, this, &TrainInspector::refill);
  connect(&training_, &Training::rewound, this, &TrainInspector::refill);
  connect(&training_, &Training::configChanged, this, &TrainInspector::showSchedule);
  connect(&training_, &Training::measured, this, [this](int first) { append(first); });
  connect(&moments_, &Moments::momentChanged, this, &TrainInspector::showNow);
  style.follow(this, [this, &style] {
    schedule_->setFixedHeight(style.px(130));
    gradient_->setFixedHeight(style.px(170));
  });
  if (training_.isOpen()) refill();
}

void TrainInspector::refill() {
  gradient_->clearPoints();
  append(0);
  showSchedule();
}

void TrainInspector::append(int first) {
  const auto& steps = training_.history().steps;
  for (auto i = std::size_t(first); i < steps.size(); ++i)
    gradient_->append(0, double(steps[i].step), steps[i].gradient_norm);
  now_.request();
}

void TrainInspector::showSchedule() {
  const train::TrainConfig& config = training_.config();
  horizon_ = horizon(config, training_.step());
  schedule_->clearPoints();
  for (int i = 0; i <= kCurvePoints; ++i) {
    const std::int64_t step = horizon_ * i / kCurvePoints;
    schedule_->append(0, double(step), train::learningRate(config.schedule, step));
  }
  showNow();
}

void TrainInspector::showNow() {
  const std::int64_t step = moments_.shownStep();
  gradient_->setMoment(moments_.showsNow() ? std::nullopt : std::optional(double(step)));
  if (training_.step() > horizon_) return showSchedule();
  schedule_->setMoment(double(step));
  schedule_->setAxisTitles(
      tr("step"),
      tr("now %1").arg(shortNumber(train::learningRate(training_.config().schedule, step))));
}

void TrainInspector::showBlocks() {
  if (!isVisible() || !observing_.snapshot()) return;
  const auto& norms = observing_.snapshot()->norms;
  std::vector<BarRow> rows = normGroups(norms, NormSide(side_->current()));
  const bool known =
      std::ranges::none_of(rows, [](const BarRow& row) { return std::isnan(row.value); });
  blocks_->setTitle(titleOfBlocks());
  blocks_->setVisible(known);
  no_gradient_->setVisible(!known);
  if (!known) rows.clear();
  double largest = 0.0;
  for (const BarRow& row : rows) largest = std::max(largest, row.value);
  blocks_->setDecimals(decimalsFor(largest));
  blocks_->setRows(std::move(rows));
}

QString TrainInspector::titleOfBlocks() const {
  const train::Snapshot& shown = *observing_.snapshot();
  const QString what = side_->current() == int(NormSide::Gradients) ? tr("Gradient norms by block")
                                                                    : tr("Weight norms by block");
  return shown.is_difference
             ? tr("%1, step %2 minus step %3").arg(what).arg(shown.step).arg(shown.minus_step)
             : tr("%1, step %2").arg(what).arg(shown.step);
}

void TrainInspector::showEvent(QShowEvent* event) {
  SideZone::showEvent(event);
  if (training_.isOpen()) showNow();
  showBlocks();
}

}  // namespace tfm::ui
