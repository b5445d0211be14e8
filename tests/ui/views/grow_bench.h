// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/test_program.h"
#include "tests/ui/views/view_bench.h"
#include "ui/growth/growth_wall.h"
#include "ui/views/grow/grow_view.h"
#include "ui/views/grow/growth_export.h"
#include "ui/views/grow/growth_inspector.h"
#include "ui/views/grow/plan_editor.h"
#include "ui/views/grow/proof_panel.h"
#include "ui/views/grow/proof_section.h"

namespace tfm::ui {

/// The untrained rot13 preset on the Grow screen.
class GrowBench : protected ViewBench<GrowView> {
 protected:
  void setUp() {
    ViewBench::setUp(startRot13, kSize, false);
    waitForPreview();
  }
  void makeView() {
    ViewBench::makeView(kSize);
    waitForPreview();
  }
  void waitForPreview() {
    QTRY_VERIFY_WITH_TIMEOUT(view_->parts().planner->preview() != nullptr, kPatience);
  }

  bool isPlanned() const {
    const auto& preview = view_->parts().planner->preview();
    return preview && !view_->parts().planner->plan().empty() &&
           preview->changes().size() == view_->parts().planner->plan().size();
  }
  void plan(expand::Kind kind) {
    view_->parts().editor->choose(kind);
    QTRY_VERIFY_WITH_TIMEOUT(isPlanned(), kPatience);
  }
  void prove() {
    view_->parts().proof->proveButton()->click();
    QTRY_VERIFY_WITH_TIMEOUT(view_->parts().planner->proof() != nullptr, kPatience);
  }
  QString selectedName() const {
    const int selection = view_->parts().pictures->wall().selection();
    const auto& matrices = view_->parts().planner->preview()->matrices;
    if (selection < 0 || selection >= int(matrices.size())) return {};
    return QString::fromStdString(matrices[std::size_t(selection)].growth.after.name);
  }
  bool proofSays(const QString& text) const {
    return says(*view_->parts().proof, text) || says(view_->parts().inspector->proof(), text);
  }

 private:
  static constexpr QSize kSize{1000, 800};
};

}  // namespace tfm::ui
