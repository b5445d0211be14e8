// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/experiment/experiment_dock.h"

#include <QCoreApplication>
#include <QGridLayout>

#include "core/data/batches.h"
#include "ui/document/model_document.h"
#include "ui/style/style.h"
#include "ui/views/experiment/model_numbers.h"
#include "ui/views/experiment/new_run_dialog.h"
#include "ui/views/experiment/say_something.h"
#include "ui/views/experiment/size_scale.h"
#include "ui/views/experiment/task_column.h"
#include "ui/views/experiment/training_form.h"
#include "ui/views/experiment/what_if_panel.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/field_form.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/segmented.h"

namespace tfm::ui {
namespace {

constexpr double kMinWidth = 258;  // for a name and a list side by side

}  // namespace

ExperimentDock::ExperimentDock(Style& style, ModelDocument& document, QWidget* parent)
    : SideZone(style, kMinWidth, parent),
      look_(style),
      document_(document),
      training_(new TrainingForm(style, document.training(),
                                 [this](double epochs, std::int64_t batch_size) {
                                   const data::Task* task = document_.task();
                                   return task == nullptr
                                              ? 0
                                              : data::stepsOfEpochs(*task, document_.framing(),
                                                                    epochs, batch_size);
                                 })),
      say_(new SaySomething(style, document)),
      what_if_(new WhatIfPanel(style, document)) {
  addSection(tr("Task"), {makeCard()});
  addSection(tr("Model"), {makeModel()});
  addSection(tr("Training"), {training_});
  loss_section_ = addSection(tr("The loss counts"), {makeLoss()});
  addSection(tr("Say something"), {say_});
  addSection(tr("What if"), {what_if_});

  connect(&document_, &ModelDocument::replaced, this, &ExperimentDock::showModel);
  connect(&document_.moments(), &Moments::shapeChanged, this, &ExperimentDock::showModel);
  connect(say_, &SaySomething::writeRequested, this, &ExperimentDock::writeRequested);
  style.follow(this, [this] {
    numbers_->setVerticalSpacing(look_.px(4));
    parameters_->setFont(look_.numberFont(13));
  });
  showModel();
}

QWidget* ExperimentDock::makeCard() {
  auto* card = new QFrame;
  setRole(*card, "card");
  task_ = new QLabel;
  setRole(*task_, "strong");
  sentence_ = wrappedLabel("muted");
  give_ = pushButton(tr("Give it a task..."),
                     tr("Choose what this model learns from now on; its weights are kept"));
  connect(give_, &QPushButton::clicked, this, [this] { change_action_(); });
  architecture_ = wrappedLabel("muted");
  parameters_ = new NumberLabel;
  size_ = new SizeScale(look_);
  addParts(new QVBoxLayout(card), {task_, sentence_, give_, architecture_, parameters_, size_});
  return card;
}

QWidget* ExperimentDock::makeModel() {
  auto* group = new QWidget;
  numbers_ = new QGridLayout;
  numbers_->setColumnStretch(0, 1);
  auto* change = pushButton(tr("Change..."),
                            tr("Start a new run with another task or another model (Ctrl+N)"));
  connect(change, &QPushButton::clicked, this, [this] { change_action_(); });
  auto* sources =
      pushButton(tr("Source documents..."), tr("The documents that this program is based on: open "
                                               "their models, compare their numbers with ours"));
  connect(sources, &QPushButton::clicked, this, &ExperimentDock::sourcesRequested);
  group->setLayout(columnOf({numbers_, change, sources}));
  return group;
}

QWidget* ExperimentDock::makeLoss() {
  loss_ = new Segmented(look_, {tr("All positions"), tr("Up to the end")});
  loss_->setAccessibleName(tr("Positions that the loss counts"));
  loss_->setChoiceToolTip(0, tr("All positions of an answer, including those after its end"));
  loss_->setChoiceToolTip(
      1, tr("The answer and its end token (the first pad); later positions do not count"));
  connect(loss_, &Segmented::currentChanged, this, [this](int choice) {
    const auto positions = data::LossPositions(choice);
    if (document_.isOpen() && document_.task() != nullptr &&
        document_.task()->config().loss_positions != positions)
      document_.setLossPositions(positions);
  });
  return loss_;
}

void ExperimentDock::showModel() {
  setEnabled(document_.isOpen());
  if (!document_.isOpen()) return;
  const data::TextCodec& codec = document_.codec();
  const data::Task* task = document_.task();
  task_->setText(QString::fromStdString(codec.name()));
  sentence_->setText(
      task != nullptr
          ? QCoreApplication::translate("tasks", std::string(task->description()).c_str())
          : tr("Without a task: it can be looked at, grown and exported, but not trained."));
  give_->setVisible(task == nullptr);
  architecture_->setText(architectureText(document_.moments().model()));
  parameters_->setText(
      tr("%1 parameters").arg(QString::number(document_.moments().layout().total)));
  size_->setParameters(document_.moments().layout().total);
  const bool pads =
      codec.form() == data::TaskForm::Sequence || codec.form() == data::TaskForm::SameLength;
  loss_section_->setVisible(pads && task != nullptr);
  if (task != nullptr) loss_->setCurrent(int(task->config().loss_positions));
  showNumbers();
}

void ExperimentDock::showNumbers() {
  while (QLayoutItem* item = numbers_->takeAt(0)) {
    delete item->widget();
    delete item;
  }
  int row = 0;
  for (const ModelNumber& number : modelNumbers(document_.moments().model())) {
    auto* value = new NumberLabel(number.value);
    value->setAccessibleName(number.name);
    numbers_->addWidget(new QLabel(number.name), row, 0);
    numbers_->addWidget(value, row++, 1, Qt::AlignRight);
  }
}

NewRunDialog* ExperimentDock::changeModel(const std::optional<data::TaskConfig>& learned) {
  if (learned) remember(*learned);
  auto* dialog = new NewRunDialog(look_, document_, learned_, window());
  if (learned) dialog->task().choose(learned->kind);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QDialog::accepted, this, [this, dialog] { remember(dialog->learned()); });
  dialog->open();
  return dialog;
}

void ExperimentDock::remember(const data::TaskConfig& learned) {
  std::erase_if(learned_, [&](const data::TaskConfig& one) { return one.kind == learned.kind; });
  learned_.push_back(learned);
}

}  // namespace tfm::ui
