// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/experiment/new_run_dialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QPointer>
#include <QProgressBar>
#include <QPushButton>
#include <QScreen>
#include <utility>

#include "core/backend/registry.h"
#include "core/base/error.h"
#include "core/base/system_memory.h"
#include "core/document/fine_tuning.h"
#include "core/model/build_program.h"
#include "core/train/fit_task.h"
#include "core/train/trainer.h"
#include "ui/document/model_document.h"
#include "ui/figure/typed_number.h"
#include "ui/style/style.h"
#include "ui/views/experiment/data_summary.h"
#include "ui/views/experiment/device_chooser.h"
#include "ui/views/experiment/run_columns.h"
#include "ui/views/experiment/task_column.h"
#include "ui/views/experiment/task_paths.h"
#include "ui/widgets/field_form.h"
#include "ui/widgets/field_text.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/section.h"
#include "ui/widgets/side_zone.h"
#include "ui/widgets/value_line.h"

namespace tfm::ui {
namespace {

/// Not larger than the available screen.
QSize fitting(const QWidget& dialog, const QSize& wanted) {
  constexpr int kFrame = 48;  // the window's own title and border
  const QSize room = dialog.screen()->availableGeometry().size() - QSize(kFrame / 2, kFrame);
  return wanted.boundedTo(room);
}

/// The control to the right of its name.
QWidget* namedRow(const QString& name, QWidget* control) {
  auto* row = new QWidget;
  auto* label = new QLabel(name);
  label->setBuddy(control);
  row->setLayout(rowOf({{label, 1}, control}));
  return row;
}

Error wrongSeed(const QString& typed) {
  return {"Seed: " + notANumber(typed).toStdString(), "",
          "Allowed: a whole number from 0 to 18446744073709551615"};
}

/// Throws Error where the open model cannot learn the task.
RunCost costOfKept(const ModelDocument& document, const data::Task& task,
                   const train::TrainConfig& train, bool tunes) {
  const Training& open = document.training();
  const int threads = open.threads();
  validate(train);
  if (!tunes) train::requireSuits(open.model(), document.codec(), task);
  const ModelConfig model =
      tunes ? train::modelToFineTune(open.model(), open.step(), document.codec(), task)
            : open.model();
  train::Trainer::requireMemory(model, task, train.batch_size, threads, train.nesting);
  return {parameterLayout(model).total,
          train::Trainer::memoryBytes(model, task, train.batch_size, threads, train.nesting)};
}

}  // namespace

NewRunDialog::NewRunDialog(const Style& style, ModelDocument& document,
                           std::vector<data::TaskConfig> learned, QWidget* parent)
    : QDialog(parent),
      style_(style),
      document_(document),
      taskless_(document.isOpen() && document.task() == nullptr),
      keepable_(taskless_ ||
                (document.isOpen() && train::canBeFineTuned(document.training().model()))) {
  setWindowTitle(tr("New run"));
  const auto likely = taskless_ ? document_.likelyTask() : std::nullopt;
  if (likely) {
    std::erase_if(learned, [&](const data::TaskConfig& one) { return one.kind == likely->kind; });
    learned.push_back(*likely);
  }
  run_.choose(tfm::presets().front());
  QWidget* columns = makeColumns(std::move(learned));
  setLayout(columnOf(style, 12, {{columns, 1}, makeFoot()}));
  layout()->setContentsMargins(style_.px(16), style_.px(16), style_.px(16), style_.px(16));
  resize(fitting(*this, {style_.px(1240), style_.px(860)}));

  connect(task_, &TaskColumn::kindChosen, this, [this] { filled_ = false; });
  connect(task_, &TaskColumn::changed, this, &NewRunDialog::showTask);
  if (likely)
    task_->choose(likely->kind);
  else
    task_->choose(document_.isOpen() && !taskless_ ? document_.task()->name() : run_.task.kind);
}

QWidget* NewRunDialog::makeColumns(std::vector<data::TaskConfig> learned) {
  columns_ = new RunColumns(style_);
  task_ = new TaskColumn(style_, run_, std::move(learned));
  columns_->task().addSection(tr("What it learns"), {task_});
  makeStart();
  data_ = new DataSummary(style_);
  columns_->data().add(data_);
  makeModel();
  return columns_;
}

void NewRunDialog::makeStart() {
  train_form_ = new FieldForm(style_, run_.trainFields(), FieldForm::Commit::EachKey);
  seed_ = new ValueLine([](const QString& text) { return typedUnsigned(text).has_value(); },
                        [this] { return QString::number(seed_before_); });
  seed_before_ = run_.train.seed;
  seed_->showValue();
  seed_->setAccessibleName(tr("Seed"));
  seed_->setFont(style_.numberFont(12));
  seed_->setFixedWidth(style_.px(92));
  seed_->setAlignment(Qt::AlignRight);
  device_ = new DeviceChooser(style_);
  columns_->task().addSection(
      tr("How it starts"), {train_form_, namedRow(tr("Seed"), seed_), device_},
      tr("Everything except seed and device can be changed while it runs."));
  connect(train_form_, &FieldForm::edited, this, &NewRunDialog::review);
  connect(train_form_, &FieldForm::validityChanged, this, &NewRunDialog::review);
  connect(seed_, &QLineEdit::textChanged, this, &NewRunDialog::review);
  connect(seed_, &ValueLine::done, this,
          [this](const QString& typed) { seed_before_ = *typedUnsigned(typed); });
  connect(seed_, &ValueLine::refused, this,
          [this](const QString& typed) { say(wrongSeed(typed)); });
}

void NewRunDialog::makeModel() {
  presets_ = new QComboBox;
  presets_->setAccessibleName(tr("Preset"));
  preset_sentence_ = wrappedLabel("muted");
  model_form_ = new FieldForm(style_, run_.modelFields(), FieldForm::Commit::EachKey);
  columns_->model().addSection(tr("The model"), {presets_, preset_sentence_, model_form_});
  connect(presets_, &QComboBox::activated, this, &NewRunDialog::choosePreset);
  connect(model_form_, &FieldForm::edited, this, [this] {
    showModelRows();
    review();
  });
  connect(model_form_, &FieldForm::validityChanged, this, &NewRunDialog::review);
}

QWidget* NewRunDialog::makeFoot() {
  auto* foot = new QWidget;
  cost_ = new QLabel;
  cost_->setFont(style_.numberFont());
  problem_ = wrappedLabel("bad");
  progress_ = new QProgressBar;
  progress_->setRange(0, 0);
  progress_->setTextVisible(false);
  progress_->setAccessibleName(tr("Preparing"));
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
  start_ = buttons->addButton(tr("Start"), QDialogButtonBox::AcceptRole);
  setRole(*start_, "primary");
  connect(buttons, &QDialogButtonBox::accepted, this, &NewRunDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &NewRunDialog::reject);
  foot->setLayout(columnOf({problem_, progress_, rowOf({{cost_, 1}, buttons})}));
  setBusy(false);
  return foot;
}

void NewRunDialog::showTask() {
  setBusy(task_->isPreparing());
  if (const data::Task* task = task_->task()) {
    data_->setData(*task, task_->statistics());
    if (!filled_) fillPresets();
  } else if (!task_->isPreparing()) {
    data_->clear();
  }
  review();
}

void NewRunDialog::fillPresets() {
  filled_ = true;
  able_ = presetsFor(*task_->task());
  presets_->clear();
  for (const Preset* preset : able_) presets_->addItem(QString::fromUtf8(preset->name));
  if (keepable_) presets_->insertItem(keptRow(), tr("The open model"));
  if (presets_->count() == 0) return;
  presets_->setCurrentIndex(0);
  choosePreset(0);
}

/// The first one where it lacks a task, else the last one; -1 if it cannot be kept.
int NewRunDialog::keptRow() const {
  if (!keepable_) return -1;
  return taskless_ ? 0 : int(able_.size());
}

bool NewRunDialog::tunes() const {
  return keeps_ && train::canBeFineTuned(document_.training().model()) &&
         (!taskless_ || run_.task.kind != document_.codec().name());
}

void NewRunDialog::keepModel() {
  const QString name = document_.files().name();
  run_.train = document_.training().config();
  if (tunes()) {
    run_.train.growths.clear();
    run_.train.stop = {};
    train::useDefaultRates(run_.train, document_.training().model());
    preset_sentence_->setText(tr("%1 begins this task with its weights, its tokenizer and its "
                                 "vocabulary. The output layer, the optimizer, the steps and the "
                                 "measurements begin anew.")
                                  .arg(name));
  } else {
    preset_sentence_->setText(tr("%1 keeps its weights and gets a task.").arg(name));
  }
  train_form_->reload();
  review();
}

void NewRunDialog::choosePreset(int row) {
  keeps_ = keepable_ && row == keptRow();
  model_form_->setHidden(keeps_);
  seed_->setDisabled(keeps_ && !tunes());  // it is that of the model
  task_->readAs(tunes() ? document_.sharedCodec() : nullptr);
  if (keeps_) return keepModel();
  const Preset& preset = *able_[std::size_t(row - (keptRow() == 0 ? 1 : 0))];
  run_.choose(preset);
  preset_sentence_->setText(presetSentence(preset));
  model_form_->reload();
  train_form_->reload();
  showModelRows();
  review();
}

void NewRunDialog::showModelRows() {
  model_form_->showRows([this](std::string_view field) { return run_.uses(field); });
}

void NewRunDialog::review() {
  start_->setEnabled(false);
  cost_->clear();
  say(task_->problem());
  const data::Task* task = task_->task();
  train_form_->showRows([this, task](std::string_view field) {
    return run_.usesTrainField(field, keeps_ ? nullptr : task);
  });
  if (!task || !model_form_->isValid() || !train_form_->isValid() || !task_->isValid()) return;
  const auto seed = typedUnsigned(seed_->text());
  if (!seed) return say(wrongSeed(seed_->text()));
  try {
    if (!keeps_ || tunes()) run_.train.seed = *seed;
    const RunCost cost = keeps_ ? costOfKept(document_, *task, run_.train, tunes())
                                : run_.cost(*task, document_.training().threads());
    cost_->setText(
        tr("%1 parameters · %2 of memory")
            .arg(QString::number(cost.parameters), QString::fromStdString(byteText(cost.memory))));
    start_->setEnabled(true);
  } catch (const Error& problem) {
    say(problem);
  }
}

void NewRunDialog::say(const std::optional<Error>& problem) {
  QString words = problem ? QString::fromStdString(problem->what()) : QString();
  for (const auto& fields : {run_.taskFields(), run_.modelFields(), run_.trainFields()})
    words = withFieldWords(std::move(words), fields);
  setOrHide(*problem_, words);
}

void NewRunDialog::setBusy(bool busy) {
  progress_->setVisible(busy);
  if (busy) start_->setEnabled(false);
}

void NewRunDialog::accept() {
  if (!start_->isEnabled()) return;
  const bool replaces = tunes() || !keeps_;
  if (replaces && !document_.mayReplace()) return;
  setBusy(true);
  const QPointer<NewRunDialog> self(this);
  const std::string wanted = device_->device();  // which has said that it can run
  const std::string before = wanted.empty() ? wanted : chosenDevice();
  if (!wanted.empty()) chooseDevice(wanted);
  const auto done = [self, before](const std::optional<Error>& problem) {
    if (problem && !before.empty()) chooseDevice(before);
    if (!self) return;
    self->setBusy(false);
    if (!problem) return self->QDialog::accept();
    self->review();
    self->say(problem);
  };
  const data::TaskConfig task = task_->config();
  if (tunes())
    document_.fineTune(task, run_.train, done);
  else if (keeps_)
    document_.giveTask(task, run_.train, done);
  else
    document_.startInBackground(run_.modelFor(*task_->task()), task, run_.trainFor(*task_->task()),
                                done);
}

}  // namespace tfm::ui
