// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/train/document.h"

namespace tfm::ui {

/// The small trained model that comes with the program, so that the window never opens empty.
train::Document demonstration();

}  // namespace tfm::ui
