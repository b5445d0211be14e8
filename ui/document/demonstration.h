// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/train/document.h"

namespace tfm::ui {

/// Small trained models that come with the program.
enum class Demonstration {
  /// What the window opens with, so that it is never empty. Made by `transformarium-cli train
  /// --preset rot13 --seed 28 --until-accuracy 1`; of the seeds that learn within 600 steps it is
  /// one whose heads read most cleanly.
  Rot13,
  Facts,      ///< nested; how many facts it remembers is a matter of its width
  Sentiment,  ///< nested; its task needs little width
};

train::Document demonstration(Demonstration which = Demonstration::Rot13);

}  // namespace tfm::ui
