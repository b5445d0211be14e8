// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/elastic/granularity_curves.h"

#include <QCheckBox>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "core/ask/submodel_scorer.h"
#include "ui/figure/number_text.h"
#include "ui/plots/line_plot.h"
#include "ui/plots/plot_look.h"
#include "ui/style/style.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/segmented.h"

namespace tfm::ui {
namespace {

constexpr double kCaptionRoom = 26;  // of a one-line caption

QString intervalWords(const QString& name) {
  return GranularityCurves::tr("bar: 95 % interval of %1").arg(name);
}

}  // namespace

GranularityCurves::GranularityCurves(Style& style, QWidget* parent)
    : QWidget(parent),
      style_(style),
      measure_(new Segmented(style, {tr("Accuracy"), tr("Loss")})),
      from_zero_(new QCheckBox(tr("From 0"))),
      bar_(new QLabel),
      nothing_(wrappedLabel("muted", tr("Nothing to show yet. Train a nested model: every "
                                        "evaluation adds the accuracy of each of its sizes."))) {
  measure_->setAccessibleName(tr("Quantity"));
  from_zero_->setToolTip(tr("Start the axis at 0, so that differences look as small as they are"));
  nothing_->setAlignment(Qt::AlignCenter);
  bar_->setToolTip(
      tr("Wilson's interval, from the number of answers: curves closer than this may differ by "
         "chance"));
  setRole(*bar_, "muted");
  setLayout(columnOf({rowOf({measure_, kStretch, bar_, from_zero_}), {nothing_, 1}}));
  makePlot();

  connect(measure_, &Segmented::currentChanged, this, &GranularityCurves::showCurves);
  connect(from_zero_, &QCheckBox::toggled, this, &GranularityCurves::showCurves);
}

void GranularityCurves::makePlot() {
  delete plot_;
  plot_ = new LinePlot(style_);
  for (const QString& name : names_) plot_->addSeries(name, false);
  plot_->nameStartOfY();
  plot_->setMoment(moment_);
  layout()->addWidget(plot_);
  static_cast<QBoxLayout*>(layout())->setStretchFactor(plot_, 1);
  showCurves();
}

void GranularityCurves::setEvaluations(const QStringList& names,
                                       const std::vector<train::Evaluation>& evaluations) {
  evaluations_.clear();
  for (const train::Evaluation& evaluation : evaluations)
    if (!names.isEmpty() && evaluation.granularities.size() == std::size_t(names.size()))
      evaluations_.push_back(evaluation);
  if (names == names_) return showCurves();
  names_ = names;
  makePlot();
}

void GranularityCurves::setExperiment(const QString& task, std::uint64_t seed,
                                      std::int64_t answers_of_example, bool held_out,
                                      bool by_position) {
  task_ = task;
  seed_ = seed;
  answers_of_example_ = answers_of_example;
  held_out_ = held_out;
  by_position_ = by_position;
}

void GranularityCurves::setMoment(std::optional<double> step) {
  moment_ = step;
  if (plot_ != nullptr) plot_->setMoment(step);
}

void GranularityCurves::setMeasure(Measure measure) { measure_->setCurrent(int(measure)); }

GranularityCurves::Measure GranularityCurves::measure() const {
  return Measure(measure_->current());
}

void GranularityCurves::setFromZero(bool from_zero) { from_zero_->setChecked(from_zero); }

double GranularityCurves::valueOf(const train::GranularityScore& score) const {
  return measure() == Measure::Accuracy ? score.accuracy : score.loss;
}

void GranularityCurves::showCurves() {
  plot_->setTitle(figureTitle());
  plot_->clearPoints();
  for (const train::Evaluation& evaluation : evaluations_)
    for (std::size_t i = 0; i < evaluation.granularities.size(); ++i)
      plot_->append(int(i), double(evaluation.step), valueOf(evaluation.granularities[i]));
  plot_->setFromZero(from_zero_->isChecked());
  const QString measured =
      measure() == Measure::Loss ? tr("loss (nats)") : accuracyText(by_position_);
  plot_->setAxisTitles(tr("step"), held_out_ ? tr("held-out %1").arg(measured) : measured);
  plot_->setVisible(!evaluations_.empty());
  nothing_->setVisible(evaluations_.empty());
  showInterval();
}

void GranularityCurves::showInterval() {
  bar_->hide();
  if (names_.isEmpty()) return;
  std::optional<AxisRange> range;
  if (measure() == Measure::Accuracy && !evaluations_.empty()) {
    const train::Evaluation& last = evaluations_.back();
    const std::int64_t answers = last.examples * answers_of_example_;
    const double right = last.granularities.back().accuracy * double(answers);
    const train::Interval interval = train::wilsonInterval({std::llround(right), answers});
    range = AxisRange{interval.low, interval.high};
    bar_->setText(intervalWords(names_.back()));
    bar_->show();
  }
  plot_->setInterval(int(names_.size()) - 1, range);
}

FigureCaption GranularityCurves::caption() const {
  FigureCaption caption;
  caption.task = task_;
  caption.seeds = {seed_};
  caption.held_out = held_out_;
  for (const train::Evaluation& evaluation : evaluations_) {
    caption.steps = std::max(caption.steps, evaluation.step);
    caption.count(evaluation.examples);
  }
  if (plot_->curves().back().interval) caption.note = intervalWords(names_.back());
  return caption;
}

QString GranularityCurves::figureTitle() const {
  if (measure() == Measure::Loss) return tr("Loss of each granularity over training");
  return by_position_ ? tr("Position accuracy of each granularity over training")
                      : tr("Accuracy of each granularity over training");
}

QSizeF GranularityCurves::figureSize() const {
  return plot_->figureSize() + QSizeF(0, style_.px(kCaptionRoom));
}

void GranularityCurves::paintFigure(QPainter& painter, const QRectF& area,
                                    const Palette& palette) const {
  const PlotLook look(style_, palette);
  if (!evaluations_.empty())
    return plot_->paintFigure(painter, paintCaption(painter, area, caption(), look.text, palette),
                              palette);
  painter.setFont(look.text);
  painter.setPen(palette.muted);
  painter.drawText(area, Qt::AlignCenter | Qt::TextWordWrap, nothing_->text());
}

DataTable GranularityCurves::figureData() const {
  DataTable table;
  table.columns << QStringLiteral("step") << QStringLiteral("examples");
  for (const QString& name : names_)
    table.columns << QStringLiteral("loss_") + name
                  << QString::fromLatin1(train::accuracyName(by_position_)) + QLatin1Char('_') +
                         name;
  for (const train::Evaluation& evaluation : evaluations_) {
    QStringList row{QString::number(evaluation.step), QString::number(evaluation.examples)};
    for (const train::GranularityScore& score : evaluation.granularities)
      row << fullPrecision(score.loss) << fullPrecision(score.accuracy);
    table.rows.push_back(row);
  }
  return table;
}

}  // namespace tfm::ui
