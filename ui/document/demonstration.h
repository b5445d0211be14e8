// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/train/document.h"

namespace tfm::ui {

/// The small trained model that comes with the program, so that the window never opens empty. Made
/// by `transformarium-cli train --preset rot13 --seed 28 --until-accuracy 1`; of the seeds that
/// learn within 600 steps it is one whose heads read most cleanly.
train::Document demonstration();

}  // namespace tfm::ui
