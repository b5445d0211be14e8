// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/shape/shape_inspector.h"

#include <algorithm>

#include "ui/figure/number_text.h"
#include "ui/views/shape/scaling_chart.h"
#include "ui/views/shape/scaling_panel.h"
#include "ui/views/shape/shape_words.h"
#include "ui/widgets/bar_list.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/pin_chip.h"
#include "ui/widgets/section.h"
#include "ui/widgets/value_strip.h"

namespace tfm::ui {

ShapeInspector::ShapeInspector(const Style& style, QWidget* parent)
    : SideZone(style, 240, parent),
      scaling_(new ScalingPanel(style)),
      costs_(new BarList(style)),
      kept_(new PinChip(style, tr("locked"))),
      name_(wrappedLabel("strong")),
      words_(wrappedLabel("muted")),
      strip_(new ValueStrip(style)) {
  strip_->setTitle(tr("Its state"));
  costs_->setTitle(tr("Length and cost of each layer"));
  costs_->setColumns({tr("positions"), tr("operations"), tr("of all")});
  addSection(tr("Chosen"), {kept_, name_, words_, strip_});
  scaling_section_ = addSection(tr("Block-wise scaling"), {scaling_},
                                tr("Later blocks have more and wider maps. Drag the ends."));
  scaling_section_->setFigure(&scaling_->chart());
  scaling_section_->hide();
  cost_section_ = addSection(tr("Length and cost"), {costs_});
  cost_section_->setFigure(costs_);
  connect(kept_, &PinChip::closed, this, &ShapeInspector::unlockRequested);
}

QWidget* ShapeInspector::costs() const { return cost_section_; }

void ShapeInspector::showSide(ShapeSide side, bool groups) {
  cost_section_->setVisible(side == ShapeSide::Length);
  scaling_section_->setVisible(side == ShapeSide::Width && groups);
}

void ShapeInspector::showCosts(const std::vector<observe::StackStage>& stages, std::int64_t flops) {
  std::vector<BarRow> rows;
  for (const observe::StackStage& stage : stages) {
    if (stage.layer < 0) continue;
    const double share = double(stage.flops) / double(std::max<std::int64_t>(1, flops));
    rows.push_back(
        {ShapeWords::shortStageName(stage),
         share,
         {},
         {QString::number(stage.length), shortNumber(double(stage.flops)), percentText(share)}});
  }
  costs_->setRows(std::move(rows));
}

void ShapeInspector::showChoice(const std::optional<ShapeChoice>& choice, bool locked,
                                const QString& hint) {
  kept_->setVisible(locked);
  name_->setVisible(choice.has_value());
  name_->setText(choice ? choice->name : QString());
  words_->setText(choice ? choice->words : hint);
  strip_->setVisible(choice && !choice->state.empty());
  if (!choice) return;
  strip_->setLimit(choice->limit);
  strip_->setValues(choice->state);
}

}  // namespace tfm::ui
