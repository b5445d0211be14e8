// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/study/study_sizes.h"

#include <QGridLayout>
#include <QLabel>
#include <QSpinBox>

#include "ui/widgets/number_box.h"

namespace tfm::ui {
namespace {

constexpr int kMaxSeeds = 100;

}  // namespace

StudySizes::StudySizes(const Style& style, int steps, QWidget* parent)
    : QWidget(parent),
      steps_(numberBox(style, tr("Steps of each run"), 1, kMaxSteps, steps)),
      seeds_(numberBox(style, tr("Seeds"), 1, kMaxSeeds, 1)) {
  seeds_->setToolTip(tr("Three or more show a spread"));
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

}  // namespace tfm::ui
