// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/elastic/twins_panel.h"

#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <map>

#include "ui/document/elastic_desk.h"
#include "ui/figure/number_text.h"
#include "ui/style/style.h"

namespace tfm::ui {
namespace {

constexpr int kSteps = 1000, kMostSteps = 10'000'000, kMostSeeds = 100;

QSpinBox* number(const Style& style, const QString& name, int most, int value) {
  auto* box = new QSpinBox;
  box->setRange(1, most);
  box->setValue(value);
  box->setGroupSeparatorShown(true);
  box->setFont(style.numberFont(12));
  box->setAccessibleName(name);
  box->findChild<QLineEdit*>()->setAccessibleName(name);
  return box;
}

struct Mean {
  double sum = 0.0;
  int count = 0;
  QString text() const {
    return count == 0 ? QStringLiteral("  –  ") : fixedNumber(100.0 * sum / count, 1);
  }
};

}  // namespace

TwinsPanel::TwinsPanel(const Style& style, ElasticDesk& desk, QWidget* parent)
    : QWidget(parent),
      desk_(desk),
      steps_(number(style, tr("Steps of each run"), kMostSteps, kSteps)),
      seeds_(number(style, tr("Seeds"), kMostSeeds, 1)),
      start_(new QPushButton),
      progress_(new QProgressBar),
      state_(new QLabel),
      outcome_(new QLabel) {
  auto* grid = new QGridLayout;
  int row = 0;
  for (QSpinBox* box : {steps_, seeds_}) {
    auto* name = new QLabel(box->accessibleName());
    name->setBuddy(box);
    grid->addWidget(name, row, 0);
    grid->addWidget(box, row++, 1);
  }
  seeds_->setToolTip(tr("Three or more show a spread"));
  progress_->setRange(0, 1000);
  progress_->setTextVisible(false);
  progress_->setAccessibleName(tr("Progress of the comparison"));
  setRole(*state_, "muted");
  state_->setWordWrap(true);
  outcome_->setFont(style.numberFont(12));
  outcome_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  outcome_->setAccessibleName(tr("Nested and separate, side by side"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(style.px(6));
  column->addLayout(grid);
  column->addWidget(start_);
  column->addWidget(progress_);
  column->addWidget(state_);
  column->addWidget(outcome_);
  connect(&style, &Style::changed, outcome_,
          [this, &style] { outcome_->setFont(style.numberFont(12)); });
  connect(steps_, &QSpinBox::textChanged, this, [this] { chosen_ = steps_->hasFocus(); });
  connect(start_, &QPushButton::clicked, this, &TwinsPanel::startOrCancel);
  connect(&desk_, &ElasticDesk::modelChanged, this, &TwinsPanel::showState);
  connect(&desk_.study(), &BackgroundStudy::advanced, this, &TwinsPanel::showOutcome);
  connect(&desk_.study(), &BackgroundStudy::finished, this, &TwinsPanel::showOutcome);
  showOutcome();
}

void TwinsPanel::propose(std::int64_t steps) {
  if (!chosen_ && steps > 0) steps_->setValue(int(std::min<std::int64_t>(steps, kMostSteps)));
}

void TwinsPanel::startOrCancel() {
  if (desk_.study().isRunning()) {
    desk_.study().cancel();
    start_->setEnabled(false);
    state_->setText(tr("Ends with its next measurement..."));
    return;
  }
  run_steps_ = steps_->value();
  desk_.startStudy(run_steps_, seeds_->value());
  showOutcome();
}

void TwinsPanel::showState() {
  const NestingStudy& study = desk_.study();
  const bool running = study.isRunning(), possible = desk_.isNested();
  start_->setText(running ? tr("Cancel") : tr("Train separately"));
  setRole(*start_, running ? "danger" : "");
  start_->setEnabled(running || possible);
  const QString reason = tr("Only for a model that is trained as MatFormer.");
  start_->setToolTip(possible
                         ? tr("Trains each size on its own, and the nested model beside them, in "
                              "the background; crosses show them on the plot of a model with as "
                              "many steps")
                         : reason);
  for (QSpinBox* box : {steps_, seeds_}) box->setEnabled(!running && possible);
  progress_->setValue(int(1000 * study.progress()));
  progress_->setVisible(running);
  setRole(*state_, study.problem() ? "bad" : "muted");
  if (const auto& problem = study.problem())
    state_->setText(QString::fromStdString(problem->what()));
  else if (running)
    state_->setText(study.secondsLeft()
                        ? tr("about %1 s left").arg(int(std::ceil(*study.secondsLeft())))
                        : tr("Preparing"));
  else
    state_->setText(possible ? tr("Does nesting cost anything? The same sizes, trained alone with "
                                  "the same examples and steps.")
                             : reason);
}

void TwinsPanel::showOutcome() {
  showState();
  std::map<std::int64_t, std::pair<Mean, Mean>> means;  // by parameters: in the order of sizes
  std::map<std::int64_t, QString> names;
  if (const auto& result = desk_.study().result())
    for (const train::NestingPoint& point : result->points) {
      const std::int64_t size = point.score.cost.parameters;
      names[size] = QString::fromStdString(point.name);
      Mean& mean = point.separate ? means[size].second : means[size].first;
      mean.sum += point.score.accuracy();
      ++mean.count;
    }
  QStringList lines;
  if (!means.empty()) lines << tr("%1 steps each").arg(run_steps_) << tr("     nested  alone  %");
  for (const auto& [size, pair] : means)
    lines << QStringLiteral("%1 %2 %3")
                 .arg(names[size], -4)
                 .arg(pair.first.text(), 6)
                 .arg(pair.second.text(), 6);
  outcome_->setText(lines.join('\n'));
  outcome_->setVisible(!lines.isEmpty());
  emit changed();
}

QString TwinsPanel::outcome() const { return outcome_->text(); }

std::vector<ElasticPoint> TwinsPanel::points(std::int64_t step) const {
  std::vector<ElasticPoint> points;
  if (step != run_steps_) return points;
  if (const auto& result = desk_.study().result())
    for (const train::NestingPoint& point : result->points)
      if (point.separate)
        points.push_back(
            {ElasticKind::Separate, QString::fromStdString(point.name), point.seed, point.score});
  return points;
}

}  // namespace tfm::ui
