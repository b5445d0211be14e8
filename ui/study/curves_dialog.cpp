// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/study/curves_dialog.h"

#include <QBoxLayout>
#include <QFileDialog>
#include <QFileInfo>
#include <QPushButton>
#include <QSpinBox>
#include <algorithm>

#include "core/io/text_file.h"
#include "ui/study/study_plots.h"
#include "ui/study/study_words.h"
#include "ui/style/style.h"
#include "ui/widgets/panel.h"
#include "ui/widgets/segmented.h"

namespace tfm::ui {
namespace {

constexpr int kMeasurements = 40;  // of a run: enough for a curve, few enough to cost little

}  // namespace

CurvesDialog::CurvesDialog(Style& style, ModelDocument& document, CurvesStudy::Run run,
                           const QString& title, const Words& words, QWidget* parent)
    : StudyDialog(style, document, new CurvesStudy(run),
                  {title, tr("Start"), tr("study.tsv"), curveColumns()}, parent),
      open_(new QPushButton(tr("Open table..."))) {
  middle_->insertWidget(0, makePanel(words), 1);
  open_->setAutoDefault(false);
  open_->setToolTip(tr("Show a study that was saved, here or by transformarium-cli study"));
  buttons_->insertWidget(1, open_, 0, Qt::AlignBottom);
  connect(open_, &QPushButton::clicked, this, &CurvesDialog::askForTable);
}

Panel* CurvesDialog::makePanel(const Words& words) {
  auto* panel = new Panel(style_);
  plots_ = new StudyPlots(style_);
  plots_->setTitle(words.title);
  panel->setTitle(tr("Held-out examples"));
  panel->setExplanation(
      words.explanation + QStringLiteral("\n\n") +
      tr("Examples were held out from training. The **loss** is the cross-entropy per counted "
         "position in nats, the **accuracy** the share of answers that are right in every "
         "position; for texts, hidden tokens and numbers there is the **position accuracy**, the "
         "share of right positions. ± is the standard deviation over the seeds.\n\n"
         "**Operations** are three times those of the forward passes; **seconds** are of training "
         "alone and depend on what else this computer does, such as training in the main "
         "window. Against **parameters**, only the ends of the runs are shown."));
  auto* against =
      new Segmented(style_, {tr("Steps"), tr("Operations"), tr("Parameters"), tr("Seconds")});
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

train::StudyConfig CurvesDialog::config() const {
  train::StudyConfig config = StudyDialog::config();
  config.train.evaluate_every = std::max<std::int64_t>(1, config.steps / kMeasurements);
  return config;
}

void CurvesDialog::start() {
  const train::StudyConfig config = this->config();
  opened_.reset();
  opening_problem_.reset();
  shown_growths_.clear();
  const train::TrainConfig& first = config.arms.empty() ? config.train : config.arms.front().train;
  for (const train::ScheduledGrowth& growth : first.growths) shown_growths_.push_back(growth.step);
  study().start(config);
}

void CurvesDialog::askForTable() {
  const QString path = QFileDialog::getOpenFileName(this, tr("Open the measurements of a study"),
                                                    {}, tr("Tables (*.tsv);;All files (*)"));
  if (!path.isEmpty()) openTable(path);
}

void CurvesDialog::openTable(const QString& path) {
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

std::shared_ptr<const train::StudyCurves> CurvesDialog::shown() const {
  return opened_ ? opened_ : study().result();
}

void CurvesDialog::showOutcome() {
  const auto curves = shown();
  plots_->setResult(curves, shown_growths_);
  table_->setTitle(kAccuracyColumn, accuracyText(curves && countsPositions(*curves)));
  setChoicesEnabled(!study_->isRunning());
  open_->setEnabled(!study_->isRunning());
  StudyDialog::showOutcome();
}

StudyDialog::Outcome CurvesDialog::outcome() const {
  const auto curves = shown();
  Outcome outcome;
  outcome.idle = idleSentence();
  outcome.is_problem = opening_problem_.has_value();
  outcome.can_start = whyNot().isEmpty();
  if (!curves) {
    for (const std::string& arm : armNames()) outcome.rows << QStringList{armText(arm)};
    return outcome;
  }
  outcome.rows = curveRows(*curves);
  outcome.words = outcomeText(*curves);
  outcome.measurements = train::toTsv(*curves);
  return outcome;
}

QString CurvesDialog::idleSentence() const {
  if (opening_problem_) return QString::fromStdString(opening_problem_->what());
  if (opened_) return tr("Opened: %1").arg(opened_name_);
  if (const auto& result = study().result())
    return result->cancelled ? tr("Cancelled: the table is incomplete.") : tr("Done.");
  return whyNot();
}

}  // namespace tfm::ui
