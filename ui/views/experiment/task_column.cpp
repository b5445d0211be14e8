// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/experiment/task_column.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QLineEdit>
#include <algorithm>
#include <string>
#include <utility>

#include "core/base/check.h"
#include "core/data/task_table.h"
#include "core/document/fine_tuning.h"
#include "ui/style/style.h"
#include "ui/views/experiment/new_run.h"
#include "ui/views/experiment/task_paths.h"
#include "ui/widgets/field_form.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/path_row.h"

namespace tfm::ui {
namespace {

/// Makes the task and collects statistics of its examples.
PreparedTask prepareTask(const data::TaskConfig& config) {
  PreparedTask prepared;
  prepared.problem = problemOf([&] {
    std::shared_ptr<const data::Task> task = data::makeTask(config);
    prepared.statistics = data::statisticsOf(*task);
    prepared.task = std::move(task);
  });
  return prepared;
}

QString pathWord(const char* text) { return QCoreApplication::translate("paths", text); }

PathWords wordsOf(const TaskPath& path) {
  return {pathWord(path.name), pathWord(path.meaning), pathWord(path.empty),
          TaskColumn::tr("Texts and tables (*.txt *.tsv *.csv *.md *.gz);;All files (*)")};
}

constexpr std::string_view kTask = "task.";

/// The text of a problem; without the field's name if shown at that field.
QString textAt(const Error& problem) {
  const bool named = problem.where().starts_with(kTask);
  return QString::fromStdString(named ? Error(problem.problem(), {}, problem.hint()).what()
                                      : problem.what());
}

}  // namespace

TaskColumn::TaskColumn(const Style& style, NewRun& run, std::vector<data::TaskConfig> learned,
                       QWidget* parent)
    : QWidget(parent),
      style_(style),
      run_(run),
      learned_(std::move(learned)),
      tasks_(new QComboBox),
      sentence_(wrappedLabel("muted")) {
  setLayout(columnOf(style, 8, {tasks_, sentence_}));
  tasks_->setAccessibleName(tr("Task"));
  for (const data::TaskRow& row : data::taskTable()) tasks_->addItem(QString::fromUtf8(row.name));
  connect(tasks_, &QComboBox::activated, this,
          [this](int row) { choose(data::taskTable()[std::size_t(row)].name); });
}

void TaskColumn::choose(std::string_view kind) {
  const data::TaskRow& row = data::findTask(kind);
  tasks_->setCurrentIndex(int(&row - data::taskTable().data()));
  const auto former = std::ranges::find(learned_, kind, &data::TaskConfig::kind);
  run_.task = former == learned_.end() ? data::defaultTaskConfig(kind) : *former;
  sentence_->setText(QCoreApplication::translate("tasks", std::string(row.description).c_str()));
  makeRows();
  emit kindChosen();
  prepare();
}

void TaskColumn::makeRows() {
  delete fields_;
  rows_.clear();
  fields_ = new QWidget;
  auto* parts = columnOf(style_, 8, {});
  fields_->setLayout(parts);
  for (const TaskPath& path : taskPaths()) {
    if (!path.belongsTo(run_.task.kind)) continue;
    auto* row = new PathRow(style_, path.kind, wordsOf(path));
    row->setPath(QString::fromStdString(run_.task.*path.value));
    connect(row, &PathRow::chosen, this, [this, &path](const QString& chosen) {
      run_.task.*path.value = chosen.toStdString();
      prepare();
    });
    parts->addWidget(row);
    rows_.push_back({&path, row});
  }
  form_ = new FieldForm(style_, run_.taskFields(), FieldForm::Commit::EachKey);
  connect(form_, &FieldForm::edited, this, &TaskColumn::prepare);
  connect(form_, &FieldForm::validityChanged, this, &TaskColumn::changed);
  parts->addWidget(form_);
  layout()->addWidget(fields_);
}

void TaskColumn::showRows() {
  for (const Row& row : rows_) {
    row.widget->setVisible(row.path->used(run_.task));
    row.widget->editor().setPlaceholderText(pathWord(row.path->emptyIn(run_.task)));
  }
  const bool reads = reads_ && data::takesTokenizer(run_.task.kind);
  form_->showRows([this, reads](std::string_view field) {
    const bool reading = field == "tokenizer" || field == "vocabulary_size" || field == "clean";
    return run_.usesTaskField(field) && !(reads && reading);
  });
}

data::TaskConfig TaskColumn::config() const {
  const data::TaskConfig task = withUsedPaths(run_.task);
  return reads_ ? train::taskToFineTune(*reads_, task) : task;
}

void TaskColumn::readAs(std::shared_ptr<const data::TextCodec> model) {
  if (model == reads_) return;
  reads_ = std::move(model);
  prepare();
}

void TaskColumn::prepare() {
  prepared_ = {};
  clearProblems();
  showRows();
  preparation_.forget();  // cancels the reading of a file
  preparation_.start([task = config()] { return prepareTask(task); },
                     [this](const PreparedTask& prepared) { take(prepared); });
  emit changed();
}

void TaskColumn::take(const PreparedTask& prepared) {
  prepared_ = prepared;
  placed_ = prepared.problem && placeProblem(*prepared.problem);
  emit changed();
}

bool TaskColumn::isValid() const { return form_->isValid(); }

std::optional<Error> TaskColumn::problem() const {
  return placed_ ? std::nullopt : prepared_.problem;
}

PathRow& TaskColumn::path(std::string_view field) const {
  const auto found = std::find_if(rows_.begin(), rows_.end(),
                                  [&](const Row& row) { return row.path->field == field; });
  check(found != rows_.end(), "the task has the path");
  return *found->widget;
}

bool TaskColumn::placeProblem(const Error& problem) {
  const QString text = textAt(problem);
  if (const TaskPath* path = pathOf(problem, run_.task)) {
    this->path(path->field).setProblem(text);
    return true;
  }
  std::string_view name = problem.where();
  if (name.starts_with(kTask)) name.remove_prefix(kTask.size());
  for (const io::Field& field : run_.taskFields()) {
    if (field.name != name || !run_.usesTaskField(name)) continue;
    form_->setProblem(name, text);
    return true;
  }
  return false;
}

void TaskColumn::clearProblems() {
  placed_ = false;
  for (const Row& row : rows_) row.widget->setProblem({});
  if (!form_->isValid()) return;  // the form shows the problem
  for (const io::Field& field : run_.taskFields()) form_->setProblem(field.name, {});
}

}  // namespace tfm::ui
