// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/train/learning_curves.h"

#include <QLabel>
#include <QSlider>

#include "core/train/counted_answers.h"
#include "ui/document/model_document.h"
#include "ui/document/task_words.h"
#include "ui/figure/corner_menu.h"
#include "ui/plots/line_plot.h"
#include "ui/plots/plot_stack.h"
#include "ui/style/style.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/layouts.h"

namespace tfm::ui {
namespace {

enum Axes { kLoss, kAccuracy };
enum Curve { kTraining, kHeldOut };

// Lengths at scale 1.
constexpr double kMinLoss = 62, kMinAccuracy = 76;
constexpr double kSmoothingText = 500, kSmoothing = 420;  // width for the smoothing control

}  // namespace

LearningCurves::LearningCurves(Style& style, ModelDocument& document, QWidget* parent)
    : Panel(style, parent), style_(style), document_(document), plots_(new PlotStack(style)) {
  LinePlot& loss = plots_->addPlot(3);
  loss.setTitle(tr("Loss"));
  loss.setAxisTitles(tr("step"), tr("loss (nats)"));
  loss.addSeries(tr("training"));
  loss.addSeries(tr("held-out"), false);
  LinePlot& accuracy = plots_->addPlot(2);
  accuracy.setTitle(tr("Accuracy"));
  accuracy.setFixedY(AxisRange{0, 1});
  accuracy.addSeries(tr("training"));
  accuracy.addSeries(tr("held-out"), false);
  setTitle(tr("Learning curves"));
  setBody(plots_);
  addTool(makeTools());
  addFit([this] {
    for (const Axes plot : {kLoss, kAccuracy}) plots_->plot(plot).follow();
  });
  setFigure(plots_);
  menu().setSource([] { return report::Source{"history", {}}; });

  connect(&document_, &ModelDocument::replaced, this, &LearningCurves::showModel);
  connect(&document_.files(), &Files::titleChanged, this, &LearningCurves::showTitle);
  connect(&document_.training(), &Training::measured, this, &LearningCurves::append);
  connect(&document_.training(), &Training::flagged, this, &LearningCurves::showFlags);
  connect(&document_.training(), &Training::rewound, this, &LearningCurves::refill);
  connect(&document_.moments(), &Moments::momentChanged, this, &LearningCurves::showMoment);
  connect(&loss, &LinePlot::flagActivated, this, [this](int flag) {
    const auto& events = document_.training().history().events;
    if (flag >= 0 && flag < int(events.size()))
      document_.moments().show(events[std::size_t(flag)].step);
  });
  style_.follow(this, [this] {
    smoothing_->setMinimumWidth(style_.px(40));
    smoothing_->setMaximumWidth(style_.px(90));
    plots_->plot(kLoss).setMinimumHeight(style_.px(kMinLoss));
    plots_->plot(kAccuracy).setMinimumHeight(style_.px(kMinAccuracy));
  });
  if (document_.isOpen()) showModel();
}

int LearningCurves::smoothing() const { return smoothing_->value(); }
void LearningCurves::setSmoothing(int percent) { smoothing_->setValue(percent); }

QWidget* LearningCurves::makeTools() {
  LinePlot& loss = plots_->plot(kLoss);
  auto* tools = new QWidget;
  smoothing_text_ = new QLabel;
  setRole(*smoothing_text_, "muted");
  smoothing_ = new QSlider(Qt::Horizontal);
  smoothing_->setRange(0, 99);
  smoothing_->setAccessibleName(tr("Smoothing"));
  smoothing_->setToolTip(tr("How strongly the thick line averages over past steps (← →)"));
  const auto smooth = [this](int percent) {
    smoothing_text_->setText(tr("Smoothing %1").arg(QString::number(percent / 100.0, 'f', 2)));
    for (const Axes plot : {kLoss, kAccuracy}) plots_->plot(plot).setSmoothing(percent / 100.0);
  };
  connect(smoothing_, &QSlider::valueChanged, this, smooth);
  smoothing_->setValue(int(100 * loss.smoothing()));

  auto* logarithmic = pushButton(tr("Log"), tr("Logarithmic loss axis (L in the plot)"), "pill");
  logarithmic->setCheckable(true);
  logarithmic->setAccessibleName(tr("Logarithmic loss axis"));
  connect(logarithmic, &QPushButton::toggled, &loss, &LinePlot::setLogarithmic);
  connect(&loss, &LinePlot::logarithmicChanged, logarithmic, &QPushButton::setChecked);

  tools->setLayout(rowOf({smoothing_text_, smoothing_, logarithmic}));
  return tools;
}

LinePlot& LearningCurves::loss() const { return plots_->plot(kLoss); }

LinePlot& LearningCurves::accuracy() const { return plots_->plot(kAccuracy); }

void LearningCurves::setRoom(int width) {
  smoothing_text_->setVisible(width >= style_.px(kSmoothingText));
  smoothing_->setVisible(width >= style_.px(kSmoothing));
}

void LearningCurves::showTitle() {
  plots_->setTitle(tr("Loss and accuracy of %1").arg(document_.files().name()));
}

void LearningCurves::showModel() {
  showTitle();
  const TaskWords words = TaskWords::of(document_.codec());
  loss().setAxisTitles(tr("step"), words.loss);
  accuracy().setAxisTitles(tr("step"), words.right_answers);
  const QString measured = document_.hasHeldOutExamples() ? tr("held-out") : tr("all asked");
  for (const Axes plot : {kLoss, kAccuracy}) plots_->plot(plot).setSeriesName(kHeldOut, measured);
  plots_->setZoomX(std::nullopt);
  refill();
  showMoment();
}

void LearningCurves::showMoment() {
  const bool now = document_.moments().showsNow();
  plots_->setMoment(now ? std::nullopt : std::optional(double(document_.moments().shownStep())));
}

void LearningCurves::refill() {
  for (const Axes plot : {kLoss, kAccuracy}) plots_->plot(plot).clearPoints();
  showFlags();
  append(0, 0);
}

void LearningCurves::showFlags() {
  std::vector<PlotFlag> flags;
  for (const train::HistoryEvent& event : document_.training().history().events)
    flags.push_back({double(event.step), QString::fromStdString(event.text),
                     event.kind == train::EventKind::Growth ? &Palette::good : &Palette::accent});
  plots_->plot(kLoss).setFlags(std::move(flags));
}

void LearningCurves::append(int first, int first_evaluation) {
  const train::History& history = document_.training().history();
  const data::TaskForm form = document_.codec().form();
  const auto put = [&](Curve curve, const auto& point) {
    plots_->plot(kLoss).append(curve, double(point.step), point.loss);
    plots_->plot(kAccuracy).append(curve, double(point.step), train::countedAccuracy(form, point));
  };
  for (auto i = std::size_t(first); i < history.steps.size(); ++i) put(kTraining, history.steps[i]);
  for (auto i = std::size_t(first_evaluation); i < history.evaluations.size(); ++i)
    put(kHeldOut, history.evaluations[i]);
}

}  // namespace tfm::ui
