// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ask/growth_proof.h"
#include "ui/plots/forward.h"
#include "ui/style/forward.h"
#include "ui/widgets/forward.h"
#include "ui/widgets/section.h"

namespace tfm::ui {

/// The numbers of a proof, beside the matrices: the differences in float and double with the
/// tolerance, the logits of both models, and some of their answers.
class ProofSection : public Section {
  Q_OBJECT

 public:
  explicit ProofSection(Style& style, QWidget* parent = nullptr);

  /// Hidden without a proof.
  void showProof(const train::GrowthProof* proof);
  LogitOverlay& logits() { return *logits_; }

 private:
  const Style& style_;
  NamedNumber* float_;
  NamedNumber* double_;
  NamedNumber* tolerance_;
  NamedNumber* same_;
  NamedNumber* loss_;
  LogitOverlay* logits_;
  QLabel* answers_;
};

}  // namespace tfm::ui
