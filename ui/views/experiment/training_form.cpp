// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/experiment/training_form.h"

#include <QComboBox>
#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "core/base/error.h"
#include "ui/document/training.h"
#include "ui/style/style.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/field_form.h"
#include "ui/widgets/layouts.h"

namespace tfm::ui {
namespace {

using train::OptimizerKind;
using train::ScheduleKind;

/// After the kinds of schedules in the list.
constexpr int kDemonstration = 3;

constexpr std::array<std::string_view, 9> kMore{
    "beta1",      "beta2",        "eps",       "evaluate_every", "evaluation_size",
    "batch_size", "same_numbers", "stop_loss", "stop_accuracy"};

constexpr std::string_view kSteps = "stop_steps", kEpochs = "stop_epochs";

bool containsField(auto list, std::string_view name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

}  // namespace

TrainingForm::TrainingForm(const Style& style, Training& training, StepsOfEpochs steps_of_epochs,
                           QWidget* parent)
    : QWidget(parent),
      training_(training),
      steps_of_epochs_(std::move(steps_of_epochs)),
      form_(new FieldForm(style, fields(), FieldForm::Commit::WhenDone)),
      more_(pushButton(tr("More"), tr("Show rarely changed settings"), "pill")) {
  auto* schedules = qobject_cast<QComboBox*>(form_->editor("schedule"));
  schedules->setItemData(kDemonstration,
                         tr("A demonstration: the schedule of the rot13 notebook. Its rate "
                            "collapses before the letters are learned."),
                         Qt::ToolTipRole);
  more_->setCheckable(true);
  setLayout(columnOf({form_, {more_, 0, Qt::AlignLeft}}));
  connect(form_, &FieldForm::edited, this, &TrainingForm::apply);
  connect(more_, &QPushButton::toggled, this, &TrainingForm::show);
  const auto update = [this] {
    const double epochs = epochs_;
    const bool same = training_.config() == draft_;
    draft_ = training_.config();
    countEpochs();
    if (same && epochs == epochs_) return show();
    form_->reload();
    show();
  };
  connect(&training_, &Training::replaced, this, update);
  connect(&training_, &Training::configChanged, this, update);
  if (training_.isOpen()) draft_ = training_.config();
  countEpochs();
  form_->reload();
  show();
}

std::vector<io::Field> TrainingForm::fields() {
  std::vector<io::Field> fields = train::trainFields(draft_);
  constexpr double kMostEpochs = 1e6;
  const io::Field epochs{kEpochs, "The same in passes over the stored examples; 0 for never",
                         io::RealSlot{&epochs_, 0.0, kMostEpochs}};
  fields.insert(std::ranges::find(fields, kSteps, &io::Field::name) + 1, epochs);
  for (io::Field& field : fields) {
    if (field.name == "optimizer") {
      auto& slot = std::get<io::ChoiceSlot>(field.slot);
      slot.set = [this, set = slot.set](int choice) {
        // A decay that was typed stays.
        double& decay = draft_.optimizer.weight_decay;
        const bool usual = decay == train::usualWeightDecay(draft_.optimizer.kind);
        set(choice);
        if (usual) decay = train::usualWeightDecay(draft_.optimizer.kind);
      };
    }
    if (field.name != "schedule") continue;
    // An extra choice: a schedule that fails, to see why.
    auto& slot = std::get<io::ChoiceSlot>(field.slot);
    slot.words.emplace_back("notebook (fails)");
    slot.get = [this] {
      return draft_.schedule == train::notebookSchedule() ? kDemonstration
                                                          : int(draft_.schedule.kind);
    };
    slot.set = [this](int choice) { chooseSchedule(choice); };
  }
  return fields;
}

void TrainingForm::chooseSchedule(int choice) {
  if (choice == kDemonstration) {
    before_demonstration_ = draft_;
    draft_.schedule = train::notebookSchedule();
    draft_.optimizer = {.kind = OptimizerKind::Sgd};
    draft_.clip_norm = 1.0;
    return;
  }
  if (before_demonstration_) {
    draft_.schedule = before_demonstration_->schedule;
    draft_.optimizer = before_demonstration_->optimizer;
    draft_.clip_norm = before_demonstration_->clip_norm;
    before_demonstration_.reset();
  }
  draft_.schedule.kind = ScheduleKind(choice);
}

void TrainingForm::apply(const QString& field) {
  if (!training_.isOpen()) return;
  const std::string name = field.toStdString();
  if (name == kEpochs) draft_.stop.steps = steps_of_epochs_(epochs_, draft_.batch_size);
  if (name == kEpochs && epochs_ == 0.0) draft_.stop.steps = 0;
  countEpochs();
  try {
    training_.setConfig(draft_);
    constexpr std::array<std::string_view, 5> kOthersFollow{"schedule", "optimizer", "batch_size",
                                                            kSteps, kEpochs};
    if (containsField(kOthersFollow, name)) form_->reload();
    show();
  } catch (const Error& problem) {
    draft_ = training_.config();
    countEpochs();
    form_->setProblem(field.toStdString(), QString::fromStdString(problem.what()));
  }
}

void TrainingForm::countEpochs() {
  constexpr double kMany = 1000.0;  // for a part of a step
  const double steps = double(steps_of_epochs_(kMany, draft_.batch_size)) / kMany;  // of one
  if (steps == 0.0 || draft_.stop.steps == 0)
    epochs_ = 0.0;
  else if (epochs_ == 0.0 || steps_of_epochs_(epochs_, draft_.batch_size) != draft_.stop.steps)
    epochs_ = double(draft_.stop.steps) / steps;
}

bool TrainingForm::isShown(std::string_view field) const {
  if (field == kEpochs) return steps_of_epochs_(1.0, draft_.batch_size) > 0;
  return more_->isChecked() || !containsField(kMore, field);
}

void TrainingForm::show() {
  form_->showRows([this](std::string_view field) { return isShown(field); });
  setEnabled(training_.isOpen());
}

}  // namespace tfm::ui
