// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/elastic/twins_panel.h"

#include <QPushButton>
#include <QSpinBox>
#include <algorithm>
#include <map>

#include "ui/document/submodel_explorer.h"
#include "ui/figure/number_text.h"
#include "ui/study/study_controls.h"
#include "ui/study/study_sizes.h"
#include "ui/style/style.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"

namespace tfm::ui {
namespace {

constexpr int kSteps = 1000;

/// What one size measured, trained in both ways; a dash where nothing is known.
struct Ways {
  QString name;
  QString nested = QStringLiteral("–"), separate = QStringLiteral("–");
};

/// "84.2", or "84.2±0.6" of several seeds.
QString percentText(const train::NestingSpread& spread) {
  const QString mean = fixedNumber(100.0 * spread.accuracy.mean, 1);
  if (spread.runs < 2) return mean;
  return QStringLiteral("%1±%2").arg(mean, fixedNumber(100.0 * spread.accuracy.deviation, 1));
}

}  // namespace

TwinsPanel::TwinsPanel(const Style& style, SubmodelExplorer& explorer, QWidget* parent)
    : QWidget(parent),
      explorer_(explorer),
      sizes_(new StudySizes(style)),
      run_(new StudyControls(style, explorer.study(), tr("Train separately"))),
      outcome_(new QLabel),
      not_plotted_(wrappedLabel("muted")) {
  outcome_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  outcome_->setAccessibleName(tr("Nested and separate, side by side"));
  setLayout(columnOf(style, 6, {sizes_, run_, outcome_, not_plotted_}));
  style.follow(outcome_, [this, &style] { outcome_->setFont(style.numberFont(12)); });
  connect(&steps(), &QSpinBox::textChanged, this, [this] { chosen_ = steps().hasFocus(); });
  connect(run_, &StudyControls::startRequested, this, &TwinsPanel::start);
  connect(&explorer_, &SubmodelExplorer::modelChanged, this, &TwinsPanel::showState);
  connect(&explorer_, &SubmodelExplorer::stateChanged, this, &TwinsPanel::showPlotted);
  connect(&explorer_.study(), &BackgroundStudy::advanced, this, &TwinsPanel::showOutcome);
  connect(&explorer_.study(), &BackgroundStudy::finished, this, &TwinsPanel::showOutcome);
  showOutcome();
}

void TwinsPanel::propose(std::int64_t steps) {
  // An untrained model suggests no number of steps, nor does another model's.
  if (!chosen_) sizes_->propose(steps, kSteps);
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
  const QString reason = tr("Only for models trained as MatFormer.");
  run_->setIdle(possible, possible ? tr("Does nesting cost anything? Trains the same sizes alone "
                                        "with the same examples and steps.")
                                   : reason);
  startButton()->setToolTip(
      possible ? tr("Train each size on its own, and the nested model for comparison, in the "
                    "background; shown as crosses on the plot of a model with as many steps")
               : reason);
  sizes_->setEnabled(!running && possible);
  showPlotted();
}

void TwinsPanel::showPlotted() { setOrHide(*not_plotted_, whyNotPlotted()); }

void TwinsPanel::showOutcome() {
  showState();
  QStringList lines;
  const auto write = [&lines](const QString& name, const QString& nested, const QString& separate) {
    lines << QStringLiteral("%1%2%3").arg(name, -4).arg(nested, 9).arg(separate, 9);
  };
  if (const auto& result = explorer_.study().result(); result && !result->points.empty()) {
    lines << tr("%1 steps each, %2 in %")
                 .arg(stepNumber(double(explorer_.study().config()->steps)),
                      accuracyText(result->points.front().score.answers.by_position));
    write({}, tr("nested"), tr("alone"));
    std::map<std::int64_t, Ways> sizes;  // by parameters: in the order of sizes
    for (const train::NestingSpread& spread : spreadOf(*result)) {
      Ways& ways = sizes[spread.parameters];
      ways.name = QString::fromStdString(spread.name);
      (spread.trained == train::kNested ? ways.nested : ways.separate) = percentText(spread);
    }
    for (const auto& [parameters, ways] : sizes) write(ways.name, ways.nested, ways.separate);
  }
  setOrHide(*outcome_, lines.join('\n'));
  emit changed();
}

QString TwinsPanel::outcome() const { return outcome_->text(); }

std::vector<ElasticPoint> TwinsPanel::twins() const {
  std::vector<ElasticPoint> twins;
  if (const auto& result = explorer_.study().result())
    for (const train::NestingPoint& point : result->points)
      if (point.trained == train::kSeparately)
        twins.push_back(
            {ElasticKind::Separate, QString::fromStdString(point.name), point.seed, point.score});
  return twins;
}

QString TwinsPanel::whyNotPlotted() const {
  const std::vector<ElasticPoint> twins = this->twins();
  const auto& model = explorer_.state();
  if (twins.empty() || !model) return {};
  const train::StudyConfig& studied = *explorer_.study().config();
  if (studied.model != model->config)
    return tr("Not on the plot: the model's sizes have changed. Train again to compare.");
  const auto is_size = [this](const ElasticPoint& twin) {
    return std::ranges::any_of(explorer_.granularities(), [&](const matformer::Granularity& one) {
      return one.submodel == twin.score.submodel;
    });
  };
  if (!std::ranges::all_of(twins, is_size))
    return tr("Not on the plot: the nested widths have changed. Train again to compare.");
  if (studied.steps != model->step)
    return tr("Not on the plot: these were trained for %1 steps, the model for %2. Train both for "
              "the same number of steps.")
        .arg(stepNumber(double(studied.steps)), stepNumber(double(model->step)));
  return {};
}

QString TwinsPanel::notPlotted() const { return not_plotted_->text(); }

std::vector<ElasticPoint> TwinsPanel::points() const {
  return whyNotPlotted().isEmpty() ? twins() : std::vector<ElasticPoint>();
}

}  // namespace tfm::ui
