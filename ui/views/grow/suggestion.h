// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/expand/growth.h"

namespace tfm::ui {

/// A small growth of this kind that is exact for the model, as the default of a card.
expand::Growth suggestedGrowth(expand::Kind kind, const ModelConfig& model);

}  // namespace tfm::ui
