// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/grow/growth_study_dialog.h"

#include <QBoxLayout>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <algorithm>

#include "core/expand/change.h"
#include "core/io/text_file.h"
#include "ui/study/study_plots.h"
#include "ui/study/study_sizes.h"
#include "ui/study/study_words.h"
#include "ui/style/style.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/number_box.h"
#include "ui/widgets/panel.h"
#include "ui/widgets/section.h"
#include "ui/widgets/segmented.h"
#include "ui/widgets/side_zone.h"

namespace tfm::ui {
namespace {

constexpr int kMeasurements = 40;  // of a run: enough for a curve, few enough to cost little

/// The growths as texts, up to the plan's first problem.
QStringList growthTexts(ModelConfig model, const expand::Plan& plan) {
  QStringList texts;
  for (const expand::Growth& growth : plan) {
    texts << QString::fromStdString(expand::describe(growth, model));
    try {
      model = expand::outlineGrowth(model, growth).after;
    } catch (const Error&) {
      // Starting reports the problem.
    }
  }
  return texts;
}

}  // namespace

GrowthStudyDialog::GrowthStudyDialog(Style& style, ModelDocument& document, expand::Plan plan,
                                     QWidget* parent)
    : StudyDialog(style, document, new CurvesStudy(&train::runGrowthStudy),
                  {tr("Does growing pay?"), tr("Start"), tr("study.tsv"), curveColumns()}, parent),
      plan_(std::move(plan)),
      growths_(makeGrowths()),
      open_(new QPushButton(tr("Open table..."))) {
  about_->add(new Section(
      style_, tr("The runs"),
      tr("The model, untrained, grows while it trains. Against it, the final size trains from "
         "scratch with the same examples, seeds, optimizer and steps.")));
  about_->add(growths_);
  middle_->insertWidget(0, makePanel(), 1);
  open_->setAutoDefault(false);
  open_->setToolTip(tr("Show a study that was saved, here or by transformarium-cli study"));
  buttons_->insertWidget(1, open_, 0, Qt::AlignBottom);
  sizes_->steps().setMinimum(2);
  connect(&steps(), &QSpinBox::valueChanged, this, &GrowthStudyDialog::spreadGrowths);
  connect(open_, &QPushButton::clicked, this, &GrowthStudyDialog::askForTable);
  spreadGrowths();
  showOutcome();
}

Section* GrowthStudyDialog::makeGrowths() {
  auto* section = new Section(style_, tr("When it grows"), tr("The step of each growth."));
  for (const QString& text : growthTexts(base_.model, plan_)) {
    QSpinBox* step = numberBox(style_, text, 1, StudySizes::kMaxSteps, 1);
    step->setFixedWidth(style_.px(88));
    step->setAlignment(Qt::AlignRight);
    auto* label = wrappedLabel("", text);
    label->setBuddy(step);
    auto* line = new QWidget;
    auto* row = new QHBoxLayout(line);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(label, 1);
    row->addWidget(step);
    section->add(line);
    growth_steps_.push_back(step);
    connect(step, &QSpinBox::valueChanged, this, [this] { placed_ = true; });
  }
  return section;
}

Panel* GrowthStudyDialog::makePanel() {
  auto* panel = new Panel(style_);
  plots_ = new StudyPlots(style_);
  plots_->setTitle(tr("Growing against training from scratch"));
  panel->setTitle(tr("Held-out examples"));
  panel->setExplanation(
      tr("The model of the document starts untrained and grows by the plan, at the steps on the "
         "left. Against it, a new model of the **final size** trains from the start.\n\n"
         "Examples were held out from training. The **loss** is the cross-entropy per counted "
         "position in nats, the **accuracy** the share of answers that are right in every "
         "position. ± is the standard deviation over the seeds.\n\n"
         "**Operations** are three times those of the forward passes; **seconds** are of training "
         "alone and depend on what else this computer does, such as training in the main "
         "window."));
  auto* against = new Segmented(style_, {tr("Steps"), tr("Operations"), tr("Seconds")});
  against->setAccessibleName(tr("What the curves are drawn against"));
  connect(against, &Segmented::currentChanged, this,
          [this](int choice) { plots_->setAgainst(StudyPlots::Against(choice)); });
  auto* logarithmic = new QPushButton(tr("Log"));
  logarithmic->setCheckable(true);
  logarithmic->setAutoDefault(false);
  logarithmic->setAccessibleName(tr("Logarithmic loss axis"));
  logarithmic->setToolTip(tr("Logarithmic loss axis"));
  setRole(*logarithmic, "pill");
  connect(logarithmic, &QPushButton::toggled, plots_, &StudyPlots::setLogarithmic);
  panel->addTool(against);
  panel->addTool(logarithmic);
  panel->setBody(plots_);
  panel->setFigure(plots_);
  return panel;
}

void GrowthStudyDialog::spreadGrowths() {
  const int steps = this->steps().value(), count = int(growth_steps_.size());
  const bool placed = placed_;
  for (int i = 0; i < count; ++i) {
    growth_steps_[std::size_t(i)]->setMaximum(steps - 1);
    if (!placed)
      growth_steps_[std::size_t(i)]->setValue(int(std::int64_t(steps) * (i + 1) / (count + 1)));
  }
  placed_ = placed;
}

train::StudyConfig GrowthStudyDialog::config() const {
  train::StudyConfig config = StudyDialog::config();
  config.train.growths.clear();
  for (std::size_t i = 0; i < plan_.size(); ++i)
    config.train.growths.push_back({growth_steps_[i]->value(), plan_[i]});
  config.train.evaluate_every = std::max<std::int64_t>(1, config.steps / kMeasurements);
  return config;
}

void GrowthStudyDialog::start() {
  const train::StudyConfig config = this->config();
  opened_.reset();
  opening_problem_.reset();
  shown_growths_.clear();
  for (const train::ScheduledGrowth& growth : config.train.growths)
    shown_growths_.push_back(growth.step);
  study().start(config);
}

void GrowthStudyDialog::askForTable() {
  const QString path = QFileDialog::getOpenFileName(this, tr("Open the measurements of a study"),
                                                    {}, tr("Tables (*.tsv);;All files (*)"));
  if (!path.isEmpty()) openTable(path);
}

void GrowthStudyDialog::openTable(const QString& path) {
  if (study_->isRunning()) return;
  if (study_->problem()) study().forget();  // what failed is no longer what this is about
  opening_problem_.reset();
  try {
    const std::string file = path.toStdString();
    opened_ = std::make_shared<const train::StudyCurves>(
        train::curvesFromTsv(io::readTextFile(file), file));
    opened_name_ = QFileInfo(path).fileName();
    shown_growths_ = train::growthSteps(*opened_);
  } catch (const Error& problem) {
    opening_problem_ = problem;
  }
  showOutcome();
}

std::shared_ptr<const train::StudyCurves> GrowthStudyDialog::shown() const {
  return opened_ ? opened_ : study().result();
}

void GrowthStudyDialog::showOutcome() {
  plots_->setResult(shown(), shown_growths_);
  growths_->setEnabled(!study_->isRunning());
  open_->setEnabled(!study_->isRunning());
  StudyDialog::showOutcome();
}

StudyDialog::Outcome GrowthStudyDialog::outcome() const {
  const auto curves = shown();
  Outcome outcome;
  outcome.idle = idleSentence();
  outcome.is_problem = opening_problem_.has_value();
  outcome.can_start = !plan_.empty();
  if (!curves) {
    for (const char* arm : {train::kGrown, train::kFromScratch})
      outcome.rows << QStringList{armText(arm)};
    return outcome;
  }
  outcome.rows = curveRows(*curves);
  outcome.words = outcomeText(*curves);
  outcome.measurements = train::toTsv(*curves);
  return outcome;
}

QString GrowthStudyDialog::idleSentence() const {
  if (opening_problem_) return QString::fromStdString(opening_problem_->what());
  if (opened_) return tr("Opened: %1").arg(opened_name_);
  if (const auto& result = study().result())
    return result->cancelled ? tr("Cancelled: the table is incomplete.") : tr("Done.");
  return plan_.empty() ? tr("Plan a growth first.") : QString();
}

}  // namespace tfm::ui
