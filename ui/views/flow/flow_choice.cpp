// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/flow/flow_choice.h"

#include <algorithm>

#include "core/model/build_program.h"
#include "core/program/ops/ops.h"

namespace tfm::ui {

using observe::kNoNode;
using observe::NumberPlace;

Selection::Choice choiceOf(FlowRun& run, const NumberPlace& place) {
  const TensorInfo& info = run.info(place.tensor);
  if (info.role == Role::Parameter) return ChosenWeight{info.name, place.row, place.col};
  if (const auto token = run.tokenOf(place)) return *token;
  const AttentionShape* shape = run.attentionOf(place.tensor);
  const std::size_t step = run.map().makers[std::size_t(place.tensor)];
  if (shape == nullptr || step == kNoNode) return {};
  return ChosenCell{run.program().steps[step].path, int(place.row / shape->queries),
                    int(place.row % shape->queries), int(place.col)};
}

Selection::Choice choiceOfHead(const FlowRun& run, const std::vector<std::string>& opened,
                               int head) {
  for (auto path = opened.rbegin(); path != opened.rend(); ++path) {
    const std::size_t part = run.map().find(*path);
    if (part == kNoNode) continue;
    const observe::MapNode& node = run.map().nodes[part];
    for (std::size_t i = node.first; i < node.end; ++i)
      if (const Step& step = run.program().steps[i]; step.op == &ops::kAttention)
        return ChosenCell{step.path, head, -1, -1};
  }
  return {};
}

std::optional<NumberPlace> placeOf(const FlowRun& run, const Selection& selection) {
  const auto within = [&](const NumberPlace& place) {
    const bool has = place.tensor != kNoTensor && place.row < run.info(place.tensor).rows &&
                     place.col < run.info(place.tensor).cols;
    return has ? std::optional(place) : std::nullopt;
  };
  if (const ChosenWeight* weight = selection.weight())
    return within({run.program().find(weight->parameter), weight->row, weight->col});
  if (const ReadToken* token = selection.token()) {
    const auto ids = token->stack == Stack::Decoder ? names::kTargetIds : names::kSourceIds;
    return within({run.program().find(ids), token->position, 0});
  }
  const ChosenCell* cell = selection.cell();
  const TensorId shares = cell == nullptr ? kNoTensor : run.sharesOf(cell->attention);
  const AttentionShape* shape = shares == kNoTensor ? nullptr : run.attentionOf(shares);
  if (shape == nullptr || cell->head >= shape->heads || cell->query >= shape->queries ||
      cell->key >= shape->keys)
    return std::nullopt;
  return NumberPlace{shares, cell->head * shape->queries + std::max(0, cell->query),
                     std::max(0, cell->key), false};
}

bool isChosen(FlowRun& run, const Selection& selection, const NumberPlace& number) {
  if (const ReadToken* token = selection.token()) return run.tokenOf(number) == *token;
  const auto chosen = placeOf(run, selection);
  if (!chosen || number.row != chosen->row || number.col != chosen->col) return false;
  const AttentionShape* attention = run.attentionOf(chosen->tensor);
  return attention == nullptr ? number.tensor == chosen->tensor
                              : run.attentionOf(number.tensor) == attention;
}

}  // namespace tfm::ui
