// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/elastic/mix_panel.h"

#include <QGridLayout>
#include <QLabel>
#include <QProgressBar>
#include <QSpinBox>
#include <algorithm>

#include "core/matformer/cost.h"
#include "ui/document/submodel_explorer.h"
#include "ui/style/style.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/layouts.h"

namespace tfm::ui {
namespace {

constexpr int kRandom = 20;

}  // namespace

MixPanel::MixPanel(const Style& style, SubmodelExplorer& explorer, QWidget* parent)
    : QWidget(parent),
      explorer_(explorer),
      uniform_(pushButton(tr("Uniform"), tr("All layers equal, midway between two granularities"),
                          "pill")),
      random_(pushButton(tr("Random %1").arg(kRandom), tr("A random granularity for each layer"),
                         "pill")),
      front_(pushButton(tr("Whole front"), {}, "pill")),
      choose_(
          pushButton(tr("Choose"),
                     tr("The largest submodel within the budget whose widths do not decrease with "
                        "depth, from two adjacent granularities (Devvrit et al., section 3.3)"),
                     "pill")),
      cancel_(pushButton(tr("Cancel"), tr("Cancel the remaining measurements"), "pill")),
      forget_(pushButton(tr("Clear"), tr("Remove the mixes from the plot"), "pill")),
      budget_(numberBox(style, tr("Maximum number of parameters"), 0, 0, 0)),
      progress_(new QProgressBar),
      state_(new QLabel) {
  auto* grid = new QGridLayout;
  grid->setSpacing(style.px(6));
  grid->addWidget(uniform_, 0, 0);
  grid->addWidget(random_, 0, 1);
  grid->addWidget(front_, 1, 0);
  grid->addWidget(forget_, 1, 1);
  auto* name = new QLabel(tr("Budget of parameters"));
  setRole(*name, "muted");
  name->setBuddy(budget_);
  budget_->setToolTip(budget_->accessibleName());
  progress_->setTextVisible(false);
  progress_->setAccessibleName(tr("Progress of the measurements"));
  setRole(*state_, "muted");
  setLayout(columnOf(
      style, 6,
      {grid, name, rowOf({{budget_, 1}, choose_}), progress_, rowOf({{state_, 1}, cancel_})}));

  connect(uniform_, &QPushButton::clicked, &explorer_, &SubmodelExplorer::mixUniform);
  connect(random_, &QPushButton::clicked, &explorer_, [this] { explorer_.mixRandom(kRandom); });
  connect(front_, &QPushButton::clicked, &explorer_, &SubmodelExplorer::mixFront);
  connect(choose_, &QPushButton::clicked, &explorer_,
          [this] { explorer_.mixBudget(budget_->value()); });
  connect(cancel_, &QPushButton::clicked, &explorer_, &SubmodelExplorer::cancelMixes);
  connect(forget_, &QPushButton::clicked, &explorer_, &SubmodelExplorer::forgetMixes);
  connect(&explorer_, &SubmodelExplorer::modelChanged, this, &MixPanel::showModel);
  connect(&explorer_, &SubmodelExplorer::scoresChanged, this, &MixPanel::showProgress);
  showModel();
  showProgress();
}

void MixPanel::showModel() {
  const auto& all = explorer_.granularities();
  for (QWidget* one : std::initializer_list<QWidget*>{uniform_, random_, front_, choose_, budget_})
    one->setEnabled(all.size() > 1);
  if (all.empty()) return;
  front_->setToolTip(explorer_.frontIsWhole()
                         ? tr("All combinations of granularities")
                         : tr("Only the combinations of the budget's heuristic, since there are "
                              "too many in all"));
  const ModelConfig& config = explorer_.state()->config;
  const auto least = int(matformer::costOf(config, all.front().submodel).parameters);
  const auto most = int(matformer::costOf(config, all.back().submodel).parameters);
  const bool other = budget_->minimum() != least || budget_->maximum() != most;
  budget_->setRange(least, most);
  budget_->setSingleStep(std::max(1, (most - least) / 20));
  if (other) budget_->setValue(least + (most - least) / 2);
}

void MixPanel::showProgress() {
  const int asked = explorer_.asked(), left = explorer_.left();
  const bool busy = left > 0;
  progress_->setRange(0, std::max(1, asked));
  progress_->setValue(busy ? asked - left : asked);
  cancel_->setEnabled(busy && !explorer_.mixes().empty());
  forget_->setEnabled(!explorer_.mixes().empty());
  setRole(*state_, explorer_.problem() ? "bad" : "muted");
  if (const auto& problem = explorer_.problem())
    state_->setText(QString::fromStdString(problem->what()));
  else if (busy)
    state_->setText(tr("measuring %1 of %2").arg(asked - left + 1).arg(asked));
  else
    state_->setText(explorer_.mixes().empty() ? tr("no mixes yet")
                                              : tr("%1 mixes").arg(explorer_.mixes().size()));
}

}  // namespace tfm::ui
