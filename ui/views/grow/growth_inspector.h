// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/expand/change.h"
#include "ui/document/forward.h"
#include "ui/style/forward.h"
#include "ui/views/forward.h"
#include "ui/widgets/forward.h"
#include "ui/widgets/side_zone.h"

namespace tfm::ui {

/// The inspector of the Grow screen: the selected growth, its proof and its rule, the cell under
/// the pointer, the cost, the planned chain, the schedule, and what learns first.
class GrowthInspector : public SideZone {
  Q_OBJECT

 public:
  GrowthInspector(Style& style, ModelDocument& document, QWidget* parent = nullptr);

  GrowthForm& form() { return *form_; }
  ProofSection& proof() { return *proof_; }
  GrowthChain& chain() { return *chain_; }
  ScheduleSection& schedule() { return *schedule_; }

  /// Shows or hides what requires a plan.
  void showPlanned(bool planned);
  void showCost(const GrowthPreview& preview);
  /// Shows the rule of the selected growth. `adaptive`: whether the optimizer is adaptive.
  void showRule(const expand::Change& change, bool adaptive);
  /// Shows why there is no rule, and `learns` in place of what learns first.
  void showNoRule(const QString& why, const QString& learns);
  void showCell(const QString& cell);
  /// Shows or hides the study, and the section if there is neither a study nor a film.
  void showFurther(bool study, bool film);

 signals:
  void removeWanted();
  void openWanted();
  void saveWanted();
  void studyWanted();
  void filmWanted();

 private:
  const Style& style_;
  Section* form_section_;
  ProofSection* proof_;
  Section* rule_section_;
  Section* further_;
  GrowthForm* form_;
  GrowthChain* chain_;
  ScheduleSection* schedule_;
  QLabel* formula_;
  QLabel* source_;
  QLabel* notes_;
  QLabel* learns_;
  QLabel* cell_;
  NamedNumber* parameters_;
  NamedNumber* flops_;
  QPushButton *remove_, *save_, *pays_;
};

}  // namespace tfm::ui
