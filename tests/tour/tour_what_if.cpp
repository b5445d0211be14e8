// SPDX-License-Identifier: GPL-3.0-or-later
// What if a head were switched off, and what each of them is worth.
#include <QPushButton>

#include "tests/tour/robot.h"
#include "tests/tour/tour.h"
#include "ui/document/model_document.h"
#include "ui/heatmap/heat_map_view.h"
#include "ui/study/study_controls.h"
#include "ui/views/attention/attention_view.h"
#include "ui/views/experiment/importance_dialog.h"
#include "ui/views/experiment/patch_dialog.h"
#include "ui/views/experiment/what_if_dialog.h"
#include "ui/views/experiment/what_if_panel.h"
#include "ui/widgets/token_line.h"
#include "ui/window/main_window.h"

namespace tfm::ui {

void Tour::askWhatIf() {
  Interventions& changes = document_.interventions();
  document_.observing().setQuestion("there");
  window_.showScreen(kAttention);
  const auto is_seen = [&] {
    const auto& seen = document_.observing().snapshot();
    return seen && seen->interventions == changes.inForce() && !seen->observed.empty();
  };
  await("the model is seen as it is", is_seen);
  check(window_.attention().lock({2, 0, 0}, std::nullopt), "there is a cross-attention");
  check(Robot::shortcut(window_.attention(), Qt::Key_O), "O is a shortcut");
  check(changes.inForce().size() == 1, "O switches the shown head off");
  await("pictures follow", is_seen);
  const WhatIfDialog& list = window_.whatIf();
  window_.whatIf().show();
  await("answers stand side by side", [&] { return list.panel().with().isVisible(); });
  picture("what-if");
  picture("what-if-list", window_.whatIf());
  window_.whatIf().close();
  changes.clear();

  ImportanceDialog importance(style_, document_, &window_);
  importance.show();
  importance.run().button()->click();
  await("the importance of all heads is measured", [&] { return !importance.study().isRunning(); });
  check(importance.map().map().rows > 0 && !importance.map().map().hasMasked(),
        "every head has its number");
  picture("importance", importance);
  exportAll("importance", importance.map());

  PatchDialog patch(style_, document_, &window_);
  patch.show();
  patch.run().button()->click();
  await("the patches are measured", [&] { return !patch.study().isRunning(); });
  check(patch.map().map().rows > 0, "there is a map of patches");
  picture("patch", patch);
  exportAll("patch", patch.map());
  await("the model is seen as it is again", is_seen);
}

}  // namespace tfm::ui
