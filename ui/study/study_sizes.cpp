// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/study/study_sizes.h"

#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSpinBox>
#include <algorithm>

#include "ui/style/style.h"
#include "ui/widgets/controls.h"

namespace tfm::ui {
namespace {

constexpr int kMaxSeeds = 100;

}  // namespace

StudySizes::StudySizes(const Style& style, int seeds, QWidget* parent)
    : QWidget(parent),
      steps_(numberBox(style, tr("Steps per run"), 1, kMaxSteps, 1000)),
      seeds_(numberBox(style, tr("Seeds"), 1, kMaxSeeds, seeds)),
      grid_(new QGridLayout(this)),
      style_(style) {
  seeds_->setToolTip(tr("Use three or more to see the spread"));
  grid_->setContentsMargins(0, 0, 0, 0);
  for (QSpinBox* box : {steps_, seeds_}) addRow(box);
}

void StudySizes::addRow(QWidget* box) {
  auto* name = new QLabel(box->accessibleName());
  name->setBuddy(box);
  const int row = grid_->rowCount();
  grid_->addWidget(name, row, 0);
  grid_->addWidget(box, row, 1);
}

void StudySizes::offerEpochs(const std::function<std::int64_t(double)>& steps_of) {
  constexpr double kMany = 1000.0;
  const double steps = double(steps_of(kMany)) / kMany;  // of one
  if (steps <= 0.0) return;
  epochs_ = realBox(style_, tr("Epochs per run"), 0.01, double(kMaxSteps) / steps);
  epochs_->setToolTip(tr("The same in passes over the stored examples"));
  epochs_->setKeyboardTracking(false);
  addRow(epochs_);
  const auto show = [this, steps](int count) {
    const QSignalBlocker blocker(epochs_);
    epochs_->setValue(double(count) / steps);
  };
  connect(steps_, &QSpinBox::valueChanged, this, show);
  connect(epochs_, &QDoubleSpinBox::valueChanged, this,
          [this, steps_of](double epochs) { steps_->setValue(int(steps_of(epochs))); });
  show(steps_->value());
}

void StudySizes::propose(std::int64_t steps, int usual) {
  steps_->setValue(int(std::clamp<std::int64_t>(steps > 0 ? steps : usual, 1, kMaxSteps)));
}

}  // namespace tfm::ui
