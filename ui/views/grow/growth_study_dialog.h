// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/expand/growth.h"
#include "ui/document/forward.h"
#include "ui/study/curves_dialog.h"
#include "ui/style/forward.h"
#include "ui/widgets/forward.h"

namespace tfm::ui {

/// "Does growing pay?": the open model, untrained, grows by a plan while it trains; against it the
/// final sizes are trained from scratch.
class GrowthStudyDialog : public CurvesDialog {
  Q_OBJECT

 public:
  GrowthStudyDialog(Style& style, ModelDocument& document, expand::Plan plan,
                    QWidget* parent = nullptr);

  train::StudyConfig config() const override;

 protected:
  std::vector<std::string> armNames() const override;
  QString whyNot() const override;
  void setChoicesEnabled(bool enabled) override;

 private:
  Section* makeGrowths();
  void spreadGrowths();

  const expand::Plan plan_;
  bool placed_ = false;  ///< the user has chosen when it grows
  std::vector<QSpinBox*> growth_steps_;
  Section* growths_;
};

}  // namespace tfm::ui
