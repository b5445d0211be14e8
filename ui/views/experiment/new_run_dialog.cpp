// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/experiment/new_run_dialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFutureWatcher>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPointer>
#include <QProgressBar>
#include <QPushButton>
#include <QRegularExpressionValidator>
#include <QScrollArea>
#include <QVBoxLayout>
#include <QtConcurrent>
#include <exception>

#include "core/base/error.h"
#include "core/base/system_memory.h"
#include "core/data/task_table.h"
#include "ui/document/model_document.h"
#include "ui/plots/probability_bars.h"
#include "ui/style/style.h"
#include "ui/widgets/field_form.h"
#include "ui/widgets/section.h"

namespace tfm::ui {
namespace {

QString fromView(std::string_view text) {
  return QString::fromUtf8(text.data(), qsizetype(text.size()));
}

QLabel* sentenceLabel() {
  auto* label = new QLabel;
  label->setWordWrap(true);
  setRole(*label, "muted");
  return label;
}

/// "hello → <b>uryyb</b>", a few of them.
QString sampleText(const data::Task& task) {
  constexpr std::uint64_t kShown = 3;
  constexpr int kLongest = 28;
  QStringList lines;
  for (std::uint64_t i = 0; i < kShown; ++i) {
    const data::Sample sample = task.sample(i);
    const bool text = task.form() == data::TaskForm::Text;
    // Of a text, only what comes after the window is new.
    const QString target = QString::fromStdString(sample.target);
    const QString source = QString::fromStdString(sample.source).right(kLongest);
    lines += NewRunDialog::tr("%1 → <b>%2</b>")
                 .arg(visibleToken(source).toHtmlEscaped(),
                      visibleToken(text ? target.right(1) : target.left(kLongest)).toHtmlEscaped());
  }
  return lines.join("<br>");
}

struct MadeTask {
  std::shared_ptr<const data::Task> task;
  std::optional<Error> problem;
};

MadeTask make(const data::TaskConfig& config) {
  try {
    return {data::makeTask(config), {}};
  } catch (const Error& problem) {
    return {nullptr, problem};
  } catch (const std::exception& problem) {
    return {nullptr, Error(problem.what())};
  }
}

}  // namespace

NewRunDialog::NewRunDialog(const Style& style, ModelDocument& document, QWidget* parent)
    : QDialog(parent), style_(style), document_(document) {
  setWindowTitle(tr("New run"));
  run_.choose(tfm::presets().front());
  auto* columns = new QHBoxLayout;
  columns->setSpacing(style_.px(28));
  columns->addWidget(makeTaskColumn(), 1);
  columns->addWidget(makeModelColumn(), 1);
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(style_.px(20), style_.px(18), style_.px(20), style_.px(18));
  all->setSpacing(style_.px(14));
  all->addLayout(columns, 1);
  all->addWidget(makeFoot());
  resize(style_.px(780), style_.px(680));

  int row = 0;
  if (document_.isOpen()) row = tasks_->findText(QString::fromStdString(document_.task().name()));
  tasks_->setCurrentIndex(std::max(0, row));
  chooseTask(tasks_->currentIndex());
}

QWidget* NewRunDialog::makeTaskColumn() {
  task_section_ = new Section(style_, tr("What it learns"));
  tasks_ = new QComboBox;
  tasks_->setAccessibleName(tr("Task"));
  for (const data::TaskRow& row : data::taskTable()) tasks_->addItem(fromView(row.name));
  task_sentence_ = sentenceLabel();
  sample_ = new QLabel;
  sample_->setTextFormat(Qt::RichText);
  sample_->setWordWrap(true);
  sample_->setFont(style_.numberFont());
  sample_->setAccessibleName(tr("Real examples"));
  sample_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  auto* card = new QFrame;
  setRole(*card, "card");
  (new QVBoxLayout(card))->addWidget(sample_);
  file_row_ = makeFileRow();
  for (QWidget* part : {static_cast<QWidget*>(tasks_), static_cast<QWidget*>(task_sentence_),
                        static_cast<QWidget*>(card), file_row_})
    task_section_->add(part);

  auto* training = new Section(style_, tr("How it starts"),
                               tr("All but the seed can be changed while it runs."));
  train_form_ = new FieldForm(style_, run_.trainFields(), FieldForm::Commit::EachKey);
  seed_ = new QLineEdit(QString::number(run_.train.seed));
  seed_->setAccessibleName(tr("Seed"));
  seed_->setFont(style_.numberFont(12));
  seed_->setFixedWidth(style_.px(92));
  seed_->setAlignment(Qt::AlignRight);
  seed_->setValidator(new QRegularExpressionValidator(QRegularExpression("[0-9]{1,18}"), seed_));
  auto* seed_row = new QWidget;
  auto* seed_line = new QHBoxLayout(seed_row);
  seed_line->setContentsMargins(0, 0, 0, 0);
  auto* seed_name = new QLabel(tr("Seed"));
  seed_name->setBuddy(seed_);
  seed_line->addWidget(seed_name, 1);
  seed_line->addWidget(seed_);
  training->add(train_form_);
  training->add(seed_row);

  auto* column = new QWidget;
  auto* parts = new QVBoxLayout(column);
  parts->setContentsMargins(0, 0, 0, 0);
  parts->setSpacing(style_.px(18));
  parts->addWidget(task_section_);
  parts->addWidget(training);
  parts->addStretch(1);
  connect(tasks_, &QComboBox::activated, this, &NewRunDialog::chooseTask);
  connect(train_form_, &FieldForm::edited, this, &NewRunDialog::review);
  connect(train_form_, &FieldForm::validityChanged, this, &NewRunDialog::review);
  connect(seed_, &QLineEdit::textChanged, this, &NewRunDialog::review);
  return column;
}

QWidget* NewRunDialog::makeFileRow() {
  auto* group = new QWidget;
  auto* row = new QHBoxLayout(group);
  row->setContentsMargins(0, 0, 0, 0);
  file_ = new QLineEdit;
  file_->setAccessibleName(tr("File"));
  auto* browse = new QPushButton(tr("Choose..."));
  browse->setToolTip(tr("Choose a text file in UTF-8"));
  row->addWidget(file_, 1);
  row->addWidget(browse);
  connect(browse, &QPushButton::clicked, this, &NewRunDialog::chooseFile);
  connect(file_, &QLineEdit::editingFinished, this, [this] {
    const std::string path = file_->text().toStdString();
    if (path == run_.task.path) return;
    run_.task.path = path;
    prepareTask();
  });
  return group;
}

QWidget* NewRunDialog::makeModelColumn() {
  auto* section = new Section(style_, tr("The model"));
  presets_ = new QComboBox;
  presets_->setAccessibleName(tr("Preset"));
  preset_sentence_ = sentenceLabel();
  model_form_ = new FieldForm(style_, run_.modelFields(), FieldForm::Commit::EachKey);
  section->add(presets_);
  section->add(preset_sentence_);
  section->add(model_form_);
  auto* content = new QFrame;
  auto* parts = new QVBoxLayout(content);
  parts->setContentsMargins(0, 0, style_.px(10), 0);
  parts->addWidget(section);
  parts->addStretch(1);
  auto* scroll = new QScrollArea;
  scroll->setWidgetResizable(true);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->setWidget(content);
  scroll->setMinimumWidth(style_.px(340));
  connect(presets_, &QComboBox::activated, this, &NewRunDialog::choosePreset);
  connect(model_form_, &FieldForm::edited, this, [this] {
    showModelRows();
    review();
  });
  connect(model_form_, &FieldForm::validityChanged, this, &NewRunDialog::review);
  return scroll;
}

QWidget* NewRunDialog::makeFoot() {
  auto* foot = new QWidget;
  auto* column = new QVBoxLayout(foot);
  column->setContentsMargins(0, 0, 0, 0);
  cost_ = new QLabel;
  cost_->setFont(style_.numberFont());
  problem_ = new QLabel;
  problem_->setWordWrap(true);
  problem_->setTextFormat(Qt::PlainText);
  setRole(*problem_, "bad");
  progress_ = new QProgressBar;
  progress_->setRange(0, 0);
  progress_->setTextVisible(false);
  progress_->setAccessibleName(tr("Preparing"));
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
  start_ = buttons->addButton(tr("Start"), QDialogButtonBox::AcceptRole);
  setRole(*start_, "primary");
  connect(buttons, &QDialogButtonBox::accepted, this, &NewRunDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &NewRunDialog::reject);
  column->addWidget(problem_);
  column->addWidget(progress_);
  auto* last = new QHBoxLayout;
  last->addWidget(cost_, 1);
  last->addWidget(buttons);
  column->addLayout(last);
  setBusy(false);
  return foot;
}

void NewRunDialog::chooseTask(int row) {
  const data::TaskRow& kind = data::taskTable()[std::size_t(row)];
  run_.task = data::defaultTaskConfig(kind.name);
  task_sentence_->setText(QCoreApplication::translate("tasks", std::string(kind.sentence).c_str()));
  const bool text = kind.form == data::TaskForm::Text;
  file_row_->setVisible(kind.file != data::TaskFile::None);
  file_->clear();
  const bool optional = kind.file == data::TaskFile::Optional;
  file_->setPlaceholderText(text       ? tr("A text file; without one, a built-in text")
                            : optional ? tr("A table of texts and labels; without one, a grammar")
                                       : tr("A file of two columns with a tab between"));
  delete task_form_;
  task_form_ = new FieldForm(style_, run_.taskFields(), FieldForm::Commit::EachKey);
  task_section_->add(task_form_);
  connect(task_form_, &FieldForm::edited, this, &NewRunDialog::prepareTask);
  connect(task_form_, &FieldForm::validityChanged, this, &NewRunDialog::review);
  able_.clear();
  prepareTask();
}

void NewRunDialog::chooseFile() {
  const QString path =
      QFileDialog::getOpenFileName(this, tr("A file to learn from"), file_->text(),
                                   tr("Texts and tables (*.txt *.tsv *.csv *.md);;All files (*)"));
  if (path.isEmpty()) return;
  file_->setText(path);
  run_.task.path = path.toStdString();
  prepareTask();
}

void NewRunDialog::prepareTask() {
  task_.reset();
  setBusy(true);
  review();
  // A file may be long, so it is read on another thread; only the newest wish counts.
  auto* watcher = new QFutureWatcher<MadeTask>(this);
  connect(watcher, &QFutureWatcher<MadeTask>::finished, this,
          [this, watcher, number = ++preparation_] {
            watcher->deleteLater();
            if (number != preparation_) return;
            const MadeTask made = watcher->result();
            setBusy(false);
            task_ = made.task;
            if (task_) return showTask();
            sample_->setText(tr("No examples yet."));
            say(made.problem);
          });
  watcher->setFuture(QtConcurrent::run([config = run_.task] { return make(config); }));
}

void NewRunDialog::showTask() {
  sample_->setText(sampleText(*task_));
  if (able_.empty()) fillPresets();
  review();
}

void NewRunDialog::fillPresets() {
  able_ = presetsFor(*task_);
  presets_->clear();
  for (const Preset* preset : able_) presets_->addItem(fromView(preset->name));
  if (!able_.empty()) choosePreset(0);
}

void NewRunDialog::choosePreset(int row) {
  const Preset& preset = *able_[std::size_t(row)];
  run_.choose(preset);
  preset_sentence_->setText(
      QCoreApplication::translate("presets", std::string(preset.sentence).c_str()));
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
  say({});
  if (!task_) return;
  if (!model_form_->isValid() || !train_form_->isValid() || !task_form_->isValid()) return;
  if (!seed_->hasAcceptableInput())
    return say(Error("Seed is empty", "", "Allowed: a whole number from 0"));
  try {
    run_.train.seed = seed_->text().toULongLong();
    const RunCost cost = run_.cost(*task_, document_.threads());
    cost_->setText(tr("%1 parameters · %2 of memory")
                       .arg(QLocale().toString(qlonglong(cost.parameters)),
                            QString::fromStdString(byteText(cost.memory))));
    start_->setEnabled(true);
  } catch (const Error& problem) {
    say(problem);
  }
}

void NewRunDialog::say(const std::optional<Error>& problem) {
  problem_->setVisible(problem.has_value());
  problem_->setText(problem ? QString::fromStdString(problem->what()) : QString());
}

void NewRunDialog::setBusy(bool busy) {
  progress_->setVisible(busy);
  if (busy) start_->setEnabled(false);
}

void NewRunDialog::accept() {
  if (!start_->isEnabled()) return;
  setBusy(true);
  const QPointer<NewRunDialog> self(this);
  document_.startInBackground(run_.modelFor(*task_), run_.task, run_.train,
                              [self](const std::optional<Error>& problem) {
                                if (!self) return;
                                self->setBusy(false);
                                if (!problem) return self->QDialog::accept();
                                self->review();
                                self->say(problem);
                              });
}

}  // namespace tfm::ui
