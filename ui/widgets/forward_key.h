// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/forward.h"

namespace tfm::ui {

/// Sends a key event received elsewhere to `widget`, but not to its parents. Returns whether it was
/// accepted.
bool forwardKey(QWidget& widget, QKeyEvent& event);

}  // namespace tfm::ui
