// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/study/study_sizes.h"

#include <QGridLayout>
#include <QLabel>
#include <QSpinBox>
#include <algorithm>

#include "ui/widgets/controls.h"

namespace tfm::ui {
namespace {

constexpr int kMaxSeeds = 100;

}  // namespace

StudySizes::StudySizes(const Style& style, int seeds, QWidget* parent)
    : QWidget(parent),
      steps_(numberBox(style, tr("Steps per run"), 1, kMaxSteps, 1000)),
      seeds_(numberBox(style, tr("Seeds"), 1, kMaxSeeds, seeds)) {
  seeds_->setToolTip(tr("Use three or more to see the spread"));
  auto* grid = new QGridLayout(this);
  grid->setContentsMargins(0, 0, 0, 0);
  int row = 0;
  for (QSpinBox* box : {steps_, seeds_}) {
    auto* name = new QLabel(box->accessibleName());
    name->setBuddy(box);
    grid->addWidget(name, row, 0);
    grid->addWidget(box, row++, 1);
  }
}

void StudySizes::propose(std::int64_t steps, int usual) {
  steps_->setValue(int(std::clamp<std::int64_t>(steps > 0 ? steps : usual, 1, kMaxSteps)));
}

}  // namespace tfm::ui
