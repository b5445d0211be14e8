// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/observe/explainer.h"
#include "ui/document/selection.h"
#include "ui/views/flow/flow_run.h"

namespace tfm::ui {

/// What the other screens show of a number of Flow: a weight, a cell of an attention, or the token
/// at whose position it stands; nothing of other numbers.
Selection::Choice choiceOf(FlowRun& run, const observe::NumberPlace& place);

/// A head of the attention in the part that was opened last; nothing where none is open.
Selection::Choice choiceOfHead(const FlowRun& run, const std::vector<std::string>& opened,
                               int head);

/// The number of a choice of all screens; of a head, its first. None where the run lacks it.
std::optional<observe::NumberPlace> placeOf(const FlowRun& run, const Selection& selection);

/// Whether a number is what the selection chooses: the weight itself or its gradient, a cell in any
/// map of its attention, any number at the position of a token.
bool isChosen(FlowRun& run, const Selection& selection, const observe::NumberPlace& number);

}  // namespace tfm::ui
