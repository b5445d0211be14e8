// SPDX-License-Identifier: GPL-3.0-or-later
// What is open, and the ways through it: the parts around a number, up to a part, step by step.
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <algorithm>

#include "ui/views/flow/flow_diagram.h"
#include "ui/views/flow/flow_inspector.h"
#include "ui/views/flow/flow_stepper.h"
#include "ui/views/flow/flow_trail.h"
#include "ui/views/flow/flow_view.h"
#include "ui/views/flow/flow_words.h"
#include "ui/widgets/section.h"
#include "ui/widgets/token_line.h"

namespace tfm::ui {

using observe::kNoNode;

void FlowView::leftShown(bool shown) {
  left_shown_ = shown;
  if (shown)
    text_->add(answer_);
  else
    static_cast<QHBoxLayout*>(place_->layout())->insertWidget(0, answer_, 1);
  answer_->setLegendShown(shown);
  stepper_->setBrief(!shown);
  showMode();
  showWay();
}

void FlowView::showWay() {
  const bool line = !left_shown_ && trail_->present().has_value();
  back_->setVisible(!left_shown_);
  back_->setEnabled(line);
  const std::size_t node = shownNode();
  place_->setVisible(!showsLens());  // also at first: nothing moves when a number is locked
  if (line) {
    const QString summary = trail_->summary(true);
    return way_->setText(summary.isEmpty() ? trail_->line().toHtmlEscaped() : summary);
  }
  if (!run_) return way_->setText(tr("model"));
  QStringList parts;
  for (const std::size_t one : run_->map().wayTo(node)) {
    const QString title = FlowWords::title(run_->map(), one).toHtmlEscaped();
    parts << (one == node ? title : QStringLiteral("<a href=\"%1\">%2</a>").arg(one).arg(title));
  }
  way_->setText(parts.join(QStringLiteral(" › ")));
}

std::size_t FlowView::shownNode() const {
  if (!run_) return 0;
  if (const auto& place = numbers_->shownPlace()) {
    const std::size_t step = stepAt(*run_, place->tensor);
    if (step != kNoNode) return run_->map().nodes[run_->map().leaves[step]].parent;
  }
  const std::size_t node = opened_.empty() ? 0 : run_->map().find(opened_.back());
  return node == kNoNode ? 0 : node;
}

void FlowView::goUpTo(std::size_t node) {
  if (!run_) return;
  FlowOpen open = diagram_->open();
  const auto within = [&](const std::string& path) {
    const std::size_t one = run_->map().find(path);
    return one != kNoNode && one != node && std::ranges::count(run_->map().wayTo(one), node) > 0;
  };
  std::erase_if(open.paths, within);
  std::erase_if(opened_, within);
  diagram_->setOpen(open);
  diagram_->revealPart(node);
  showHeads();
  showWay();
}

void FlowView::toggle(std::size_t node) {
  if (!run_) return;
  FlowOpen open = diagram_->open();
  const std::string& path = run_->map().nodes[node].path;
  std::erase(opened_, path);
  if (open.paths.erase(path) == 0) {
    open.paths.insert(path);
    opened_.push_back(path);
  }
  diagram_->setOpen(open);
  diagram_->revealPart(node);
  showHeads();
  showWay();
}

void FlowView::goUp() {
  if (!run_ || opened_.empty()) return;
  const std::size_t node = run_->map().find(opened_.back());
  if (node != kNoNode) toggle(node);
}

/// What the walk itself has opened closes again behind it.
void FlowView::openForStep(std::optional<std::size_t> step) {
  FlowOpen open = diagram_->open();
  std::set<std::string> now;
  if (step)
    for (const std::size_t node : run_->map().wayTo(run_->map().leaves[*step]))
      if (node != 0 && run_->map().nodes[node].level != observe::MapLevel::Step)
        now.insert(run_->map().nodes[node].path);
  std::erase_if(walked_, [&](const std::string& path) {
    const bool behind = !now.contains(path);
    if (behind) open.paths.erase(path);
    return behind;
  });
  for (const std::string& path : now)
    if (open.paths.insert(path).second) walked_.insert(path);
  if (open == diagram_->open()) return;
  diagram_->setOpen(open);
  showHeads();
}

void FlowView::showStep() {
  if (!run_) return;
  const auto step = stepper_->step();
  openForStep(step);
  if (step && stepper_->isBackward() != (side() == FlowSide::Gradients))
    showSide(stepper_->isBackward() ? FlowSide::Gradients : FlowSide::Values);
  diagram_->showStep(step ? *step : kNoNode, stepper_->isBackward());
  if (hasWantedRun()) return;
  updateNeed();
  takeSnapshot();
}

}  // namespace tfm::ui
