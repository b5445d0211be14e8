// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

#include "ui/document/forward.h"
#include "ui/document/growth_planner.h"
#include "ui/style/forward.h"
#include "ui/widgets/forward.h"

namespace tfm::ui {

/// Says in words whether anything changed, beside the buttons to prove, break and apply a plan; the
/// numbers are in ProofSection. Longer texts extend it upwards: the buttons do not move.
class ProofPanel : public QFrame {
  Q_OBJECT

 public:
  explicit ProofPanel(Style& style, QWidget* parent = nullptr);

  void showState(const GrowthPlanner& planner);
  /// Sets what was applied and its proof, if any, to be shown until there is a plan again; null for
  /// nothing. Takes effect with the next showState().
  void setGrown(std::shared_ptr<const GrowthPreview> grown,
                std::shared_ptr<const train::GrowthProof> proof);
  /// Sets why the plan differs from what was typed; unless it is empty, nothing can be proved or
  /// applied. Takes effect with the next showState().
  void setProblem(const QString& problem);
  /// Sets which rules of the selected growth can be broken, and which one is.
  void setBreaks(const std::vector<expand::Break>& possible, expand::Break broken);

  QPushButton* proveButton() const { return prove_; }
  QPushButton* applyButton() const { return apply_; }
  /// Shown during long work.
  QPushButton* cancelButton() const { return cancel_; }
  QToolButton* breakButton() const { return break_; }

 signals:
  void proveRequested();
  void applyRequested();
  void cancelRequested();
  void scheduleRequested();
  void breakRequested(tfm::expand::Break broken);

 private:
  void showWords(const GrowthPlanner& planner);
  void showGrown();
  void say(const char* icon, const QColor& colour, const QString& what, const QString& details);

  const Style& style_;
  QLabel* lamp_;
  ElidedLabel* what_;
  ElidedLabel* details_;
  QPushButton* prove_;
  QPushButton* apply_;
  QPushButton* later_;
  QToolButton* break_;
  QPushButton* cancel_;
  std::vector<expand::Break> possible_;
  expand::Break broken_ = expand::Break::None;
  std::shared_ptr<const GrowthPreview> grown_;
  std::shared_ptr<const train::GrowthProof> grown_proof_;
  QString problem_;
};

}  // namespace tfm::ui
