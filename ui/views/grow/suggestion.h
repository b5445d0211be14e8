// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/expand/growth.h"

namespace tfm::ui {

/// A growth of this kind that the model can do exactly, for a first click: a little larger, and all
/// that the kind allows.
expand::Growth suggestedGrowth(expand::Kind kind, const ModelConfig& model);

}  // namespace tfm::ui
