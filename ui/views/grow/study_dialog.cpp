// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/grow/study_dialog.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>

#include "core/expand/change.h"
#include "core/io/text_file.h"
#include "core/train/study_table.h"
#include "ui/document/studies.h"
#include "ui/study/save_table.h"
#include "ui/study/study_run.h"
#include "ui/style/style.h"
#include "ui/views/grow/study_plots.h"
#include "ui/views/grow/study_table.h"
#include "ui/views/grow/study_words.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/number_box.h"
#include "ui/widgets/panel.h"
#include "ui/widgets/section.h"
#include "ui/widgets/segmented.h"
#include "ui/widgets/side_zone.h"

namespace tfm::ui {
namespace {

constexpr int kSteps = 1000, kMaxSteps = 10'000'000;
constexpr int kSeeds = 3, kMaxSeeds = 100;
constexpr int kMeasurements = 40;  // of a run: enough for a curve, few enough to cost little

/// The growths in words, as long as the plan can be done.
QStringList growthTexts(ModelConfig model, const expand::Plan& plan) {
  QStringList texts;
  for (const expand::Growth& growth : plan) {
    texts << QString::fromStdString(expand::describe(growth, model));
    try {
      model = expand::outlineGrowth(model, growth).after;
    } catch (const Error&) {
      // Starting says what is wrong.
    }
  }
  return texts;
}

}  // namespace

StudyDialog::StudyDialog(Style& style, ModelDocument& document, expand::Plan plan, QWidget* parent)
    : QDialog(parent),
      style_(style),
      plan_(std::move(plan)),
      base_(studyOf<train::StudyConfig>(document)),
      study_(new GrowthStudy(this)) {
  setWindowTitle(tr("Does growing pay?"));
  auto* row = new QHBoxLayout;
  row->setSpacing(style_.px(20));
  row->addWidget(makeForm());
  row->addWidget(makePanel(), 1);
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(style_.px(20), style_.px(16), style_.px(20), style_.px(16));
  all->setSpacing(style_.px(12));
  all->addLayout(row, 1);
  all->addLayout(makeOutcome());
  table_ = new StudyTable(style_);
  all->addWidget(table_);
  resize(style_.px(1100), style_.px(760));

  connect(steps_, &QSpinBox::valueChanged, this, &StudyDialog::spreadGrowths);
  connect(run_, &StudyRun::startAsked, this, &StudyDialog::start);
  connect(open_, &QPushButton::clicked, this, &StudyDialog::askForTable);
  connect(save_, &QPushButton::clicked, this, [this] {
    if (shown()) saveTable(this, tr("study.tsv"), train::toTsv(*shown()));
  });
  connect(study_, &GrowthStudy::advanced, this, &StudyDialog::showResult);
  connect(study_, &GrowthStudy::finished, this, &StudyDialog::showResult);
  spreadGrowths();
  showResult();
  run_->button()->setFocus();
}

QWidget* StudyDialog::makeForm() {
  auto* column = new QWidget;
  auto* parts = new QVBoxLayout(column);
  parts->setContentsMargins(0, 0, 0, 0);
  parts->setSpacing(style_.px(12));
  auto* zone = new SideZone(style_, 280);
  form_ = new QWidget;
  auto* sections = new QVBoxLayout(form_);
  sections->setContentsMargins(0, 0, 0, 0);
  sections->setSpacing(style_.px(18));
  sections->addWidget(makeRuns());
  sections->addWidget(makeGrowths());
  zone->add(form_);
  parts->addWidget(zone, 1);
  run_ = new StudyRun(style_, *study_, tr("Start"));
  run_->setPrimary();
  parts->addWidget(run_);
  return column;
}

QSpinBox* StudyDialog::addNumber(Section& section, const QString& name, int least, int most,
                                 int value) {
  auto* line = new QWidget;
  auto* row = new QHBoxLayout(line);
  row->setContentsMargins(0, 0, 0, 0);
  QSpinBox* number = numberBox(style_, name, least, most, value);
  number->setFixedWidth(style_.px(88));
  number->setAlignment(Qt::AlignRight);
  auto* label = wrappedLabel("", name);
  label->setBuddy(number);
  row->addWidget(label, 1);
  row->addWidget(number);
  section.add(line);
  return number;
}

Section* StudyDialog::makeRuns() {
  auto* section =
      new Section(style_, tr("The runs"),
                  tr("The model, untrained, grows while it trains. Against it, the final size "
                     "trains from scratch with the same examples, seeds, optimizer and steps."));
  const std::int64_t stop = base_.train.stop.steps;
  const int steps = stop > 1 ? int(std::min<std::int64_t>(stop, kMaxSteps)) : kSteps;
  steps_ = addNumber(*section, tr("Steps of each run"), 2, kMaxSteps, steps);
  seeds_ = addNumber(*section, tr("Seeds"), 1, kMaxSeeds, kSeeds);
  seeds_->setToolTip(tr("Each seed is trained both ways; three or more show a spread"));
  return section;
}

Section* StudyDialog::makeGrowths() {
  auto* section = new Section(style_, tr("When it grows"), tr("The step of each growth."));
  for (const QString& text : growthTexts(base_.model, plan_)) {
    QSpinBox* step = addNumber(*section, text, 1, kMaxSteps, 1);
    growth_steps_.push_back(step);
    connect(step, &QSpinBox::valueChanged, this, [this] { placed_ = true; });
  }
  return section;
}

QLayout* StudyDialog::makeOutcome() {
  auto* row = new QHBoxLayout;
  row->setSpacing(style_.px(20));
  outcome_ = wrappedLabel("sentence");
  outcome_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  outcome_->setAccessibleName(tr("What came out"));
  row->addWidget(outcome_, 1);
  const auto add = [row](const QString& name, const QString& explanation) {
    auto* button = new QPushButton(name);
    button->setAutoDefault(false);
    button->setToolTip(explanation);
    row->addWidget(button, 0, Qt::AlignBottom);
    return button;
  };
  open_ = add(tr("Open table..."),
              tr("Show a study that was saved, here or by transformarium-cli study"));
  save_ = add(tr("Save table..."), tr("Every measurement of every run, separated by tabs"));
  return row;
}

Panel* StudyDialog::makePanel() {
  auto* panel = new Panel(style_);
  plots_ = new StudyPlots(style_);
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

void StudyDialog::spreadGrowths() {
  const int steps = steps_->value(), count = int(growth_steps_.size());
  const bool placed = placed_;
  for (int i = 0; i < count; ++i) {
    growth_steps_[std::size_t(i)]->setMaximum(steps - 1);
    if (!placed)
      growth_steps_[std::size_t(i)]->setValue(int(std::int64_t(steps) * (i + 1) / (count + 1)));
  }
  placed_ = placed;
}

train::StudyConfig StudyDialog::config() const {
  train::StudyConfig config = base_;
  setRuns(config, steps_->value(), seeds_->value());
  config.train.growths.clear();
  for (std::size_t i = 0; i < plan_.size(); ++i)
    config.train.growths.push_back({growth_steps_[i]->value(), plan_[i]});
  config.train.evaluate_every = std::max<std::int64_t>(1, config.steps / kMeasurements);
  return config;
}

void StudyDialog::start() {
  const train::StudyConfig config = this->config();
  opened_.reset();
  opening_problem_.reset();
  shown_growths_.clear();
  for (const train::ScheduledGrowth& growth : config.train.growths)
    shown_growths_.push_back(growth.step);
  study_->start(config);
  showResult();
}

void StudyDialog::askForTable() {
  const QString path = QFileDialog::getOpenFileName(this, tr("Open the measurements of a study"),
                                                    {}, tr("Tables (*.tsv);;All files (*)"));
  if (!path.isEmpty()) openTable(path);
}

void StudyDialog::openTable(const QString& path) {
  if (study_->isRunning()) return;
  if (study_->problem()) study_->forget();  // what failed is no longer what this is about
  opening_problem_.reset();
  try {
    const std::string file = path.toStdString();
    opened_ = std::make_shared<const train::StudyResult>(
        train::studyFromTsv(io::readTextFile(file), file));
    opened_name_ = QFileInfo(path).fileName();
    shown_growths_ = train::growthSteps(*opened_);
  } catch (const Error& problem) {
    opening_problem_ = problem;
  }
  showResult();
}

std::shared_ptr<const train::StudyResult> StudyDialog::shown() const {
  return opened_ ? opened_ : study_->result();
}

void StudyDialog::reject() { study_->isRunning() ? run_->cancel() : QDialog::reject(); }

void StudyDialog::showResult() {
  const auto result = shown();
  plots_->setResult(result, shown_growths_);
  const QString outcome = result ? outcomeText(*result) : QString();
  const bool whole = !study_->isRunning() || outcome.isEmpty();
  outcome_->setText(whole ? outcome : tr("So far: %1").arg(outcome));
  save_->setEnabled(result != nullptr);
  table_->setResult(result.get());
  form_->setEnabled(!study_->isRunning());
  open_->setEnabled(!study_->isRunning());
  run_->setIdle(!plan_.empty(), idleSentence(), opening_problem_.has_value());
}

QString StudyDialog::idleSentence() const {
  if (opening_problem_) return QString::fromStdString(opening_problem_->what());
  if (opened_) return tr("Opened: %1").arg(opened_name_);
  if (const auto& result = study_->result())
    return result->cancelled ? tr("Cancelled: what follows is incomplete.") : tr("Done.");
  return plan_.empty() ? tr("Plan a growth first.") : QString();
}

}  // namespace tfm::ui
