// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/study/curves_dialog.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QSpinBox>
#include <algorithm>

#include "core/data/batches.h"
#include "core/io/atomic_file.h"
#include "core/io/text_file.h"
#include "ui/figure/save_path.h"
#include "ui/study/study_controls.h"
#include "ui/study/study_plots.h"
#include "ui/study/study_sizes.h"
#include "ui/study/study_words.h"
#include "ui/style/style.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/panel.h"
#include "ui/widgets/segmented.h"
#include "ui/widgets/side_zone.h"

namespace tfm::ui {
namespace {

constexpr int kSteps = 1000;  // of a run, if training has no limit
constexpr int kSeeds = 3;
constexpr int kMeasurements = 40;  // of a run: enough for a curve, few enough to cost little

}  // namespace

CurvesDialog::CurvesDialog(Style& style, ModelDocument& document, CurvesStudy::Run run,
                           const QString& title, const Words& words, QWidget* parent)
    : QDialog(parent),
      style_(style),
      base_(studyOf(document)),
      about_(new SideZone(style, 344)),
      study_(new CurvesStudy(run)),
      sizes_(new StudySizes(style, kSeeds)),
      run_(new StudyControls(style, *study_, tr("Start"))),
      table_(new Table(style, curveColumns())),
      words_(wrappedLabel("sentence")),
      save_(new QPushButton(tr("Save table..."))),
      open_(new QPushButton(tr("Open table..."))),
      plots_(new StudyPlots(style)) {
  study_->setParent(this);
  setWindowTitle(title);
  sizes_->propose(base_.train.stop.steps, kSteps);
  sizes_->offerEpochs([task = document.sharedTask(), framing = document.framing(),
                       batch_size = base_.train.batch_size](double epochs) {
    return data::stepsOfEpochs(*task, framing, epochs, batch_size);
  });
  run_->setPrimary();
  words_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  words_->setAccessibleName(tr("Result"));
  save_->setAutoDefault(false);
  save_->setToolTip(tr("Every measurement of every run, separated by tabs"));
  open_->setAutoDefault(false);
  open_->setToolTip(tr("Show a study that was saved, here or by transformarium-cli study"));

  auto* results = columnOf(style, 12, {{makePanel(words), 1}, table_});
  results->addLayout(
      rowOf(style, 12, {{words_, 1}, {open_, 0, Qt::AlignBottom}, {save_, 0, Qt::AlignBottom}}));
  setLayout(rowOf(style, 20, {columnOf(style, 12, {{about_, 1}, sizes_, run_}), {results, 1}}));
  layout()->setContentsMargins(style.px(20), style.px(16), style.px(20), style.px(16));
  resize(style.px(1160), style.px(720));

  connect(run_, &StudyControls::startRequested, this, [this] {
    start();
    showOutcome();
  });
  connect(save_, &QPushButton::clicked, this, &CurvesDialog::saveTable);
  connect(open_, &QPushButton::clicked, this, &CurvesDialog::askForTable);
  connect(study_, &BackgroundStudy::advanced, this, &CurvesDialog::showOutcome);
  connect(study_, &BackgroundStudy::finished, this, &CurvesDialog::showOutcome);
  run_->button()->setFocus();
}

QSpinBox& CurvesDialog::steps() const { return sizes_->steps(); }

QSpinBox& CurvesDialog::seeds() const { return sizes_->seeds(); }

Panel* CurvesDialog::makePanel(const Words& words) {
  auto* panel = new Panel(style_);
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
  train::StudyConfig config = base_;
  setRuns(config, steps().value(), seeds().value());
  config.train.evaluate_every = std::max<std::int64_t>(1, config.steps / kMeasurements);
  return config;
}

void CurvesDialog::reject() { study_->isRunning() ? run_->cancel() : QDialog::reject(); }

void CurvesDialog::start() {
  const train::StudyConfig config = this->config();
  opened_.reset();
  opening_problem_.reset();
  shown_growths_.clear();
  const train::TrainConfig& first = config.arms.empty() ? config.train : config.arms.front().train;
  for (const train::ScheduledGrowth& growth : first.growths) shown_growths_.push_back(growth.step);
  study_->start(config);
}

void CurvesDialog::saveTable() {
  const QString path = askSavePath(
      this, {tr("Save the measurements"), tr("study.tsv"), tr("Tables (*.tsv)")}, "tsv");
  if (path.isEmpty()) return;
  try {
    io::writeFile(filePath(path), train::toTsv(*shown()));
    notifySaved(*this, path);
  } catch (const Error& problem) {
    QMessageBox::warning(this, windowTitle(), QString::fromStdString(problem.what()));
  }
}

void CurvesDialog::askForTable() {
  const QString path = QFileDialog::getOpenFileName(this, tr("Open the measurements of a study"),
                                                    {}, tr("Tables (*.tsv);;All files (*)"));
  if (!path.isEmpty()) openTable(path);
}

void CurvesDialog::openTable(const QString& path) {
  if (study_->isRunning()) return;
  if (study_->problem()) study_->forget();  // what failed is no longer what this is about
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
  return opened_ ? opened_ : study_->result();
}

void CurvesDialog::showOutcome() {
  const auto curves = shown();
  const bool running = study_->isRunning();
  plots_->setResult(curves, shown_growths_);
  table_->setTitle(kAccuracyColumn, accuracyText(curves && countsPositions(*curves)));
  setChoicesEnabled(!running);
  open_->setEnabled(!running);
  QList<QStringList> rows;
  if (curves)
    rows = curveRows(*curves);
  else
    for (const std::string& arm : armNames()) rows << QStringList{armText(arm)};
  table_->setRows(rows);
  const QString words = curves ? outcomeText(*curves) : QString();
  words_->setText(running && !words.isEmpty() ? tr("So far: %1").arg(words) : words);
  save_->setEnabled(curves != nullptr);
  sizes_->setEnabled(!running);
  run_->setIdle(whyNot().isEmpty(), idleSentence(), opening_problem_.has_value());
}

QString CurvesDialog::idleSentence() const {
  if (opening_problem_) return QString::fromStdString(opening_problem_->what());
  if (opened_) return tr("Opened: %1").arg(opened_name_);
  if (const auto& result = study_->result())
    return result->cancelled ? tr("Cancelled: the table is incomplete.") : tr("Done.");
  return whyNot();
}

}  // namespace tfm::ui
