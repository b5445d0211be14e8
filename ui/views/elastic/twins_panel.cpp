// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/elastic/twins_panel.h"

#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>
#include <map>

#include "core/train/spread.h"
#include "ui/document/submodel_explorer.h"
#include "ui/figure/number_text.h"
#include "ui/study/study_run.h"
#include "ui/study/study_sizes.h"
#include "ui/style/style.h"
#include "ui/widgets/labels.h"

namespace tfm::ui {
namespace {

constexpr int kSteps = 1000;

/// What one size measured, a number for each seed.
struct Accuracies {
  QString name;
  std::vector<double> nested, separate;
};

/// "84.2", or "84.2±0.6" of several seeds; a dash where nothing is known.
QString percent(const std::vector<double>& accuracies) {
  if (accuracies.empty()) return QStringLiteral("–");
  const train::Spread spread = train::spreadOf(accuracies);
  const QString mean = fixedNumber(100.0 * spread.mean, 1);
  if (accuracies.size() < 2) return mean;
  return QStringLiteral("%1±%2").arg(mean, fixedNumber(100.0 * spread.deviation, 1));
}

}  // namespace

TwinsPanel::TwinsPanel(const Style& style, SubmodelExplorer& explorer, QWidget* parent)
    : QWidget(parent),
      explorer_(explorer),
      sizes_(new StudySizes(style, kSteps)),
      run_(new StudyRun(style, explorer.study(), tr("Train separately"))),
      outcome_(new QLabel),
      not_plotted_(wrappedLabel("muted")) {
  outcome_->setFont(style.numberFont(12));
  outcome_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  outcome_->setAccessibleName(tr("Nested and separate, side by side"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(style.px(6));
  column->addWidget(sizes_);
  column->addWidget(run_);
  column->addWidget(outcome_);
  column->addWidget(not_plotted_);
  connect(&style, &Style::changed, outcome_,
          [this, &style] { outcome_->setFont(style.numberFont(12)); });
  connect(&steps(), &QSpinBox::textChanged, this, [this] { chosen_ = steps().hasFocus(); });
  connect(run_, &StudyRun::startAsked, this, &TwinsPanel::start);
  connect(&explorer_, &SubmodelExplorer::modelChanged, this, &TwinsPanel::showState);
  connect(&explorer_, &SubmodelExplorer::stateChanged, this, &TwinsPanel::showPlotted);
  connect(&explorer_.study(), &BackgroundStudy::advanced, this, &TwinsPanel::showOutcome);
  connect(&explorer_.study(), &BackgroundStudy::finished, this, &TwinsPanel::showOutcome);
  showOutcome();
}

void TwinsPanel::propose(std::int64_t steps) {
  if (chosen_) return;
  // A model that has not been trained says nothing, least of all the steps of another one.
  const std::int64_t usual = steps > 0 ? steps : kSteps;
  this->steps().setValue(int(std::min<std::int64_t>(usual, StudySizes::kMaxSteps)));
}

QSpinBox& TwinsPanel::steps() { return sizes_->steps(); }

QSpinBox& TwinsPanel::seeds() { return sizes_->seeds(); }

QPushButton* TwinsPanel::startButton() const { return run_->button(); }

void TwinsPanel::start() {
  explorer_.startStudy(steps().value(), seeds().value());
  showOutcome();
}

void TwinsPanel::showState() {
  const bool running = explorer_.study().isRunning(), possible = explorer_.isNested();
  const QString reason = tr("Only for a model that is trained as MatFormer.");
  run_->setIdle(possible, possible ? tr("Does nesting cost anything? The same sizes, trained alone "
                                        "with the same examples and steps.")
                                   : reason);
  startButton()->setToolTip(
      possible ? tr("Trains each size on its own, and the nested model beside them, in the "
                    "background; crosses show them on the plot of a model with as many steps")
               : reason);
  sizes_->setEnabled(!running && possible);
  showPlotted();
}

void TwinsPanel::showPlotted() {
  const QString why_not = whyNotPlotted();
  not_plotted_->setText(why_not);
  not_plotted_->setVisible(!why_not.isEmpty());
}

void TwinsPanel::showOutcome() {
  showState();
  std::map<std::int64_t, Accuracies> sizes;  // by parameters: in the order of sizes
  if (const auto& result = explorer_.study().result())
    for (const train::NestingPoint& point : result->points) {
      Accuracies& size = sizes[point.score.cost.parameters];
      size.name = QString::fromStdString(point.name);
      (point.separate ? size.separate : size.nested).push_back(point.score.accuracy());
    }
  QStringList lines;
  const auto write = [&lines](const QString& name, const QString& nested, const QString& separate) {
    lines << QStringLiteral("%1%2%3").arg(name, -4).arg(nested, 9).arg(separate, 9);
  };
  if (!sizes.empty()) {
    lines << tr("%1 steps each, accuracy in %")
                 .arg(stepNumber(double(explorer_.study().config()->steps)));
    write({}, tr("nested"), tr("alone"));
  }
  for (const auto& [parameters, size] : sizes)
    write(size.name, percent(size.nested), percent(size.separate));
  outcome_->setText(lines.join('\n'));
  outcome_->setVisible(!lines.isEmpty());
  emit changed();
}

QString TwinsPanel::outcome() const { return outcome_->text(); }

std::vector<ElasticPoint> TwinsPanel::twins() const {
  std::vector<ElasticPoint> twins;
  if (const auto& result = explorer_.study().result())
    for (const train::NestingPoint& point : result->points)
      if (point.separate)
        twins.push_back(
            {ElasticKind::Separate, QString::fromStdString(point.name), point.seed, point.score});
  return twins;
}

QString TwinsPanel::whyNotPlotted() const {
  const std::vector<ElasticPoint> twins = this->twins();
  const auto& model = explorer_.state();
  if (twins.empty() || !model) return {};
  const train::NestingStudyConfig& studied = *explorer_.study().config();
  if (studied.model != model->config)
    return tr("Not on the plot: the model has another shape now. Train them again to compare.");
  const auto is_size = [this](const ElasticPoint& twin) {
    return std::ranges::any_of(explorer_.granularities(), [&](const matformer::Granularity& one) {
      return one.submodel == twin.score.submodel;
    });
  };
  if (!std::ranges::all_of(twins, is_size))
    return tr(
        "Not on the plot: the model has other widths inside now. Train them again to compare.");
  if (studied.steps != model->step)
    return tr("Not on the plot: these were trained for %1 steps, the model for %2. Train the model "
              "as far, or these again with as many steps.")
        .arg(stepNumber(double(studied.steps)), stepNumber(double(model->step)));
  return {};
}

QString TwinsPanel::notPlotted() const { return not_plotted_->text(); }

std::vector<ElasticPoint> TwinsPanel::points() const {
  return whyNotPlotted().isEmpty() ? twins() : std::vector<ElasticPoint>();
}

}  // namespace tfm::ui
