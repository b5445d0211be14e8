// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/flow/flow_stepper.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <algorithm>

#include "ui/style/style.h"
#include "ui/views/flow/flow_words.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"

namespace tfm::ui {

FlowStepper::FlowStepper(const Style& style, QWidget* parent)
    : QWidget(parent),
      previous_(new QToolButton),
      next_(new QToolButton),
      leave_(new QToolButton),
      number_(new QLabel),
      sentence_(wrappedLabel("")) {
  setRole(*number_, "strong");
  const auto button = [](QToolButton& one, const QString& text, const QString& tip) {
    one.setText(text);
    one.setAccessibleName(tip);
    one.setToolTip(tip);
  };
  button(*previous_, QStringLiteral("◂"), tr("The step before (Page Up)"));
  button(*next_, QStringLiteral("▸"), tr("The next step of the run (Page Down)"));
  button(*leave_, QStringLiteral("✕"), tr("End the walk"));
  setRole(*leave_, "flat");
  sentence_->setTextFormat(Qt::PlainText);
  auto* row = bareLayout<QHBoxLayout>(this);
  row->addWidget(previous_);
  row->addWidget(next_);
  row->addWidget(number_);
  row->addWidget(sentence_, 1);
  row->addWidget(leave_);
  connect(previous_, &QToolButton::clicked, this, &FlowStepper::previous);
  connect(next_, &QToolButton::clicked, this, &FlowStepper::next);
  connect(leave_, &QToolButton::clicked, this, &FlowStepper::leave);
  style.follow(this, [row, &style] { row->setSpacing(style.px(8)); });
  refresh();
}

int FlowStepper::forwardSteps() const { return run_ ? int(run_->program().steps.size()) : 0; }

int FlowStepper::count() const {
  return run_ && run_->hasGradients() ? 2 * forwardSteps() : forwardSteps();
}

std::optional<std::size_t> FlowStepper::step() const {
  if (at_ < 0) return std::nullopt;
  return std::size_t(isBackward() ? 2 * forwardSteps() - 1 - at_ : at_);
}

bool FlowStepper::isBackward() const { return at_ >= forwardSteps(); }

void FlowStepper::setRun(const std::shared_ptr<FlowRun>& run) {
  const int before = count();
  run_ = run;
  if (count() != before) return go(-1);
  refresh();
}

void FlowStepper::go(int at) {
  at = std::clamp(at, -1, count() - 1);
  if (at == at_) return refresh();
  at_ = at;
  refresh();
  emit stepChanged();
}

void FlowStepper::refresh() {
  previous_->setEnabled(at_ > 0);
  next_->setEnabled(at_ + 1 < count());
  leave_->setVisible(at_ >= 0);
  if (at_ < 0) {
    number_->setText(tr("Step by step"));
    sentence_->setText(run_ && run_->hasGradients()
                           ? tr("Walk through the %1 steps of this run and back through their "
                                "gradients.")
                                 .arg(forwardSteps())
                           : tr("Walk through the %1 steps of this run.").arg(forwardSteps()));
    return;
  }
  number_->setText(isBackward() ? tr("Step %1 of %2, backwards").arg(at_ + 1).arg(count())
                                : tr("Step %1 of %2, forwards").arg(at_ + 1).arg(count()));
  sentence_->setText(FlowWords::step(*run_, *step(), isBackward()));
}

}  // namespace tfm::ui
