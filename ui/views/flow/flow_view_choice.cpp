// SPDX-License-Identifier: GPL-3.0-or-later
// What is chosen together with the other views.
#include <algorithm>

#include "core/model/build_program.h"
#include "core/program/ops/ops.h"
#include "ui/document/model_document.h"
#include "ui/document/selection.h"
#include "ui/views/flow/flow_diagram.h"
#include "ui/views/flow/flow_run.h"
#include "ui/views/flow/flow_trail.h"
#include "ui/views/flow/flow_view.h"

namespace tfm::ui {

using observe::kNoNode;
using observe::MapNode;
using observe::NumberPlace;

void FlowView::choose(const NumberPlace& place) {
  const TensorInfo& info = run_->info(place.tensor);
  if (info.role == Role::Parameter)
    return document_.selection().choose(ChosenWeight{info.name, place.row, place.col});
  if (const auto token = run_->tokenOf(place)) return document_.selection().choose(*token);
  const AttentionShape* shape = run_->attentionOf(place.tensor);
  const std::size_t step = run_->map().makers[std::size_t(place.tensor)];
  if (shape == nullptr || step == kNoNode) return;
  const std::string& path = run_->program().steps[step].path;
  document_.selection().choose(ChosenCell{path, int(place.row / shape->queries),
                                          int(place.row % shape->queries), int(place.col)});
}

void FlowView::chooseHead(int head) {
  if (!run_ || head < 0) return;
  // Of the attention that was opened last.
  for (auto path = opened_.rbegin(); path != opened_.rend(); ++path) {
    const std::size_t part = run_->map().find(*path);
    if (part == kNoNode) continue;
    const MapNode& node = run_->map().nodes[part];
    for (std::size_t i = node.first; i < node.end; ++i) {
      const Step& step = run_->program().steps[i];
      if (step.op == &ops::kAttention)
        return document_.selection().choose(ChosenCell{step.path, head, -1, -1});
    }
  }
}

void FlowView::followChoice() {
  if (!isVisible() || !run_) return;
  const auto present = trail_->present();
  if (const ChosenWeight* weight = document_.selection().weight()) {
    const NumberPlace place{run_->program().find(weight->parameter), weight->row, weight->col};
    if (place.tensor == kNoTensor || place.row >= run_->info(place.tensor).rows ||
        place.col >= run_->info(place.tensor).cols)
      return;
    // It may itself be the choice, as a gradient.
    if (!present || present->tensor != place.tensor || present->row != place.row ||
        present->col != place.col)
      go(place);
    return;
  }
  if (const ReadToken* token = document_.selection().token()) {
    const bool target = token->stack == Stack::Decoder;
    const NumberPlace place{run_->program().find(target ? names::kTargetIds : names::kSourceIds),
                            token->position, 0};
    // A number at its position may itself be the choice.
    if (present && run_->tokenOf(*present) == *token) return;
    if (place.tensor != kNoTensor && place.row < run_->info(place.tensor).rows) go(place);
    return;
  }
  const ChosenCell* chosen = document_.selection().cell();
  if (chosen == nullptr) return;
  const TensorId shares = run_->sharesOf(chosen->attention);
  const AttentionShape* shape = shares == kNoTensor ? nullptr : run_->attentionOf(shares);
  if (shape == nullptr || chosen->head >= shape->heads || chosen->query >= shape->queries ||
      chosen->key >= shape->keys)
    return;
  const NumberPlace place{shares, chosen->head * shape->queries + std::max(0, chosen->query),
                          std::max(0, chosen->key), false};
  if (chosen->isHead()) {
    openFor(place);
    return;
  }
  // It may itself be the choice, in another of the attention's maps.
  if (!present || run_->attentionOf(present->tensor) != shape || present->row != place.row ||
      present->col != place.col)
    go(place);
}

}  // namespace tfm::ui
