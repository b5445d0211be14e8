// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/grow/plan_editor.h"

#include <algorithm>

#include "core/io/atomic_file.h"
#include "core/io/text_file.h"
#include "ui/document/growth_planner.h"
#include "ui/document/model_document.h"
#include "ui/views/grow/growth_kinds.h"
#include "ui/views/grow/growth_words.h"

namespace tfm::ui {

PlanEditor::PlanEditor(ModelDocument& document, GrowthPlanner& planner, QObject* parent)
    : QObject(parent), document_(document), planner_(planner) {
  connect(&planner_, &GrowthPlanner::planChanged, this, &PlanEditor::planChanged);
}

void PlanEditor::planChanged() {
  if (planner_.plan() == known_) return;
  known_ = planner_.plan();
  if (known_.empty()) document_.changes().forget(this);  // applied, or another model is open
}

std::shared_ptr<const SmallEdit> PlanEditor::editTo(expand::Plan plan, int selected) {
  const auto undo = [this, plan = std::move(plan), selected] {
    auto back = editTo(planner_.plan(), selected_);
    selected_ = selected;
    known_ = plan;
    planner_.setPlan(plan);
    return back;
  };
  return std::make_shared<const SmallEdit>(SmallEdit{undo, this});
}

void PlanEditor::set(const QString& label, expand::Plan plan, int selected) {
  if (plan != planner_.plan()) document_.changes().take(label, editTo(planner_.plan(), selected_));
  selected_ = selected;
  known_ = plan;
  planner_.setPlan(std::move(plan));
}

int PlanEditor::selected() const {
  const int count = int(planner_.plan().size());
  return std::clamp(selected_, count == 0 ? -1 : 0, count - 1);
}

const expand::Growth* PlanEditor::growth() const {
  return selected() < 0 ? nullptr : &planner_.plan()[std::size_t(selected())];
}

const expand::Change* PlanEditor::change() const {
  const auto& preview = planner_.preview();
  const int at = selected();
  if (!preview || at < 0 || at >= int(preview->changes().size())) return nullptr;
  return &preview->changes()[std::size_t(at)];
}

void PlanEditor::choose(expand::Kind kind) {
  document_.moments().showNow();
  expand::Plan plan = planner_.plan();
  const auto planned = std::ranges::find(plan, kind, &expand::Growth::kind);
  if (planned != plan.end()) return select(int(planned - plan.begin()));
  const auto& preview = planner_.preview();
  const bool ready = planner_.isCurrent() && !planner_.problem();
  plan.push_back(
      suggestedGrowth(kind, ready ? preview->after().config : document_.training().model()));
  const int last = int(plan.size()) - 1;
  set(tr("Choose %1").arg(GrowthWords::name(kind)), std::move(plan), last);
}

void PlanEditor::select(int growth) {
  selected_ = growth;
  emit selectionChanged();
}

template <class Edit>
void PlanEditor::editSelected(const QString& label, const Edit& edit) {
  if (selected() < 0) return;
  expand::Plan plan = planner_.plan();
  edit(plan[std::size_t(selected())]);
  set(label.arg(GrowthWords::name(growth()->kind)), std::move(plan), selected_);
}

void PlanEditor::edit(const expand::Growth& growth) {
  editSelected(tr("Change %1"), [&](expand::Growth& planned) {
    const expand::Break broken = planned.broken;
    planned = growth;
    planned.broken = broken;
  });
}

void PlanEditor::resize(std::int64_t size) {
  if (!change()) return;
  expand::Growth resized = *growth();
  resized.size = size;
  try {
    expand::outlineGrowth(change()->before, resized, planner_.preview()->before->step);
  } catch (const Error&) {
    return;
  }
  edit(resized);
}

void PlanEditor::breakRule(expand::Break broken) {
  editSelected(tr("Break %1"), [&](expand::Growth& planned) { planned.broken = broken; });
}

void PlanEditor::removeAt(int growth) {
  expand::Plan plan = planner_.plan();
  if (growth < 0 || growth >= int(plan.size())) return;
  const expand::Kind kind = plan[std::size_t(growth)].kind;
  plan.erase(plan.begin() + growth);
  set(tr("Remove %1").arg(GrowthWords::name(kind)), std::move(plan), growth);
}

void PlanEditor::move(int from, int to) {
  expand::Plan plan = planner_.plan();
  const expand::Growth growth = plan[std::size_t(from)];
  plan.erase(plan.begin() + from);
  plan.insert(plan.begin() + to, growth);
  set(tr("Move %1").arg(GrowthWords::name(growth.kind)), std::move(plan), to);
}

void PlanEditor::open(const QString& path) {
  const std::string file = path.toStdString();
  expand::Plan plan = expand::planFromJson(io::readTextFile(file), file);
  set(tr("Open a plan"), std::move(plan), 0);
}

void PlanEditor::save(const QString& path) const {
  io::writeFile(path.toStdString(), expand::toJson(planner_.plan()));
}

}  // namespace tfm::ui
