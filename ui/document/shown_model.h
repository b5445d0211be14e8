// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "core/model/model_state.h"
#include "core/observe/intervention.h"
#include "ui/document/forward.h"

namespace tfm::ui {

/// Gives the model that the screens show, as of now, with these changes; call it on another thread,
/// where it may wait for a training step.
std::function<std::shared_ptr<const ModelState>()> shownModel(
    ModelDocument& document, std::vector<observe::Intervention> changes = {});

}  // namespace tfm::ui
