// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/grow/growth_study_dialog.h"

#include <QBoxLayout>
#include <QLabel>
#include <QSpinBox>

#include "core/expand/change.h"
#include "ui/study/study_sizes.h"
#include "ui/style/style.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"
#include "ui/widgets/section.h"
#include "ui/widgets/side_zone.h"

namespace tfm::ui {
namespace {

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
    : CurvesDialog(style, document, &train::runGrowthStudy, tr("Does growing pay?"),
                   {tr("Growing against training from scratch"),
                    tr("The model of the document starts untrained and grows by the plan, at the "
                       "steps on the left. Against it, a new model of the **final size** trains "
                       "from the start.")},
                   parent),
      plan_(std::move(plan)),
      growths_(makeGrowths()) {
  about_->add(new Section(
      style_, tr("The runs"),
      tr("The model, untrained, grows while it trains. Against it, the final size trains from "
         "scratch with the same examples, seeds, optimizer and steps.")));
  about_->add(growths_);
  steps().setMinimum(2);
  connect(&steps(), &QSpinBox::valueChanged, this, &GrowthStudyDialog::spreadGrowths);
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
    line->setLayout(rowOf({{label, 1}, step}));
    section->add(line);
    growth_steps_.push_back(step);
    connect(step, &QSpinBox::valueChanged, this, [this] { placed_ = true; });
  }
  return section;
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
  train::StudyConfig config = CurvesDialog::config();
  config.train.growths.clear();
  for (std::size_t i = 0; i < plan_.size(); ++i)
    config.train.growths.push_back({growth_steps_[i]->value(), plan_[i]});
  return config;
}

std::vector<std::string> GrowthStudyDialog::armNames() const {
  return {train::kGrown, train::kFromScratch};
}

QString GrowthStudyDialog::whyNot() const {
  return plan_.empty() ? tr("Plan a growth first.") : QString();
}

void GrowthStudyDialog::setChoicesEnabled(bool enabled) { growths_->setEnabled(enabled); }

}  // namespace tfm::ui
