// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

#include "ui/document/growth_planner.h"

class QLabel;
class QPushButton;
class QToolButton;

namespace tfm::ui {

class BriefLabel;
class CornerMenu;
class LogitOverlay;
class NamedNumber;
class Style;

/// Whether anything changed: the lamp, the differences in float and double beside their tolerance,
/// the answers before and after, and the buttons that prove, break and apply a plan. What comes and
/// goes stands above the buttons, which stay where they are.
class ProofPanel : public QFrame {
  Q_OBJECT

 public:
  explicit ProofPanel(Style& style, QWidget* parent = nullptr);

  void showState(const GrowthPlanner& planner);
  /// What was applied and its proof, if it had one, shown until there is a plan again; null for
  /// nothing. The next showState() shows it.
  void setGrown(std::shared_ptr<const GrowthPreview> grown,
                std::shared_ptr<const train::GrowthProof> proof);
  /// Why the plan is not what the user has typed: until this is empty again nothing can be proved
  /// or applied. The next showState() shows it.
  void setProblem(const QString& problem);
  /// Without room the logits and answers give way to what stands above, until the user asks for
  /// them.
  void setRoomy(bool roomy);
  /// What may be broken of the selected growth, and what is.
  void setBreaks(const std::vector<expand::Break>& possible, expand::Break broken);

  QPushButton* pictureButton() const { return picture_; }
  QPushButton* proveButton() const { return prove_; }
  QPushButton* applyButton() const { return apply_; }
  /// Takes the place of pictureButton() while something is made that takes long.
  QPushButton* cancelButton() const { return cancel_; }
  QToolButton* breakButton() const { return break_; }
  LogitOverlay& logits() { return *logits_; }

 signals:
  void proveWanted();
  void applyWanted();
  void cancelWanted();
  void scheduleWanted();
  void breakWanted(tfm::expand::Break broken);

 private:
  /// The numbers beside the picture of the logits, or in one row without it.
  void arrange();
  void showProof(const train::GrowthProof& proof);
  void showWords(const GrowthPlanner& planner);
  void showGrown();
  void say(const char* icon, const QColor& colour, const QString& what, const QString& details);

  const Style& style_;
  QLabel* lamp_;
  BriefLabel* what_;
  BriefLabel* details_;
  QLabel* answers_;
  NamedNumber* float_;
  NamedNumber* double_;
  NamedNumber* tolerance_;
  NamedNumber* same_;
  NamedNumber* loss_;
  QPushButton* prove_;
  QPushButton* apply_;
  QPushButton* later_;
  QToolButton* break_;
  QPushButton* picture_;
  QPushButton* cancel_;
  QWidget* numbers_;
  LogitOverlay* logits_;
  CornerMenu* menu_;
  bool proved_ = false;
  bool roomy_ = true;
  std::optional<bool> chosen_;  ///< whether the user wants the picture
  int numbers_in_a_row_ = 0;
  std::vector<expand::Break> possible_;
  expand::Break broken_ = expand::Break::None;
  std::shared_ptr<const GrowthPreview> grown_;
  std::shared_ptr<const train::GrowthProof> grown_proof_;
  QString problem_;
};

}  // namespace tfm::ui
