// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>

#include "ui/document/growth_desk.h"
#include "ui/document/model_document.h"
#include "ui/growth/grown_cells.h"

class QLabel;
class QPushButton;
class QStackedWidget;

namespace tfm::ui {

class GrowthAnimation;
class GrowthCards;
class GrowthChain;
class GrowthForm;
class GrowthLegend;
class GrowthMap;
class GrowthWall;
class MatrixWall;
class NamedNumber;
class Panel;
class ProofPanel;
class Section;
class Segmented;
class SideZone;
class Style;

/// The trained model becomes larger and answers as before: the six expansions are chosen, seen on
/// the model's own matrices, proved, broken and applied.
class GrowView : public QWidget {
  Q_OBJECT

 public:
  enum class Look { All, One, Space };

  GrowView(Style& style, ModelDocument& document, QWidget* parent = nullptr);

  /// The cards, for the left side of the window, and the rule, cost and chain for the right. Owned
  /// by whoever shows them.
  QWidget* cards();
  QWidget* inspector();

  GrowthDesk& desk() { return *desk_; }
  GrowthWall& wall() { return *wall_; }
  MatrixWall& space() { return *space_; }
  ProofPanel& proof() { return *proof_; }
  GrowthAnimation& animation() { return *animation_; }
  /// Plans an expansion of this kind, or selects the one that is planned.
  void choose(expand::Kind kind);
  void showLook(Look look);
  /// Grows the model; the matrices are seen growing.
  void apply();

 signals:
  /// Something asked for could not be done.
  void failed(const tfm::Error& problem);

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  void makeMiddle();
  void makeInspector();
  void connectDesk();

  void editSelected();
  void breakSelected(expand::Break broken);
  void removeAt(int growth);
  void move(int from, int to);
  void select(int growth);
  void dragged(Qt::Orientation along, int new_size);

  void showPreview();
  void showPlan();
  void showRule();
  void showMatrix(int matrix);
  void showMatrices(std::shared_ptr<const GrowthPreview> preview);
  void setProgress(double progress);
  void showLegend();
  void endMotion();
  void askForSnapshots(bool wanted);
  void exportAnimation();
  void openStudy();
  void schedule();
  void showSchedule();
  const expand::Change* selectedChange() const;

  Style& style_;
  ModelDocument& document_;
  GrowthDesk* desk_;
  int selected_ = -1;
  bool growing_ = false;  ///< the animation shows what was applied
  std::shared_ptr<const GrowthPreview> shown_;
  std::vector<GrownCells> cells_;  ///< of the preview that is shown

  GrowthCards* cards_;
  Panel* panel_;
  Segmented* looks_;
  QPushButton* all_;
  QPushButton* film_;
  QPushButton* pays_;
  QStackedWidget* pictures_;
  GrowthWall* wall_;
  GrowthMap* map_;
  MatrixWall* space_;
  GrowthLegend* legend_;
  ProofPanel* proof_;
  GrowthAnimation* animation_;

  SideZone* inspector_;
  Section* rule_section_;
  QLabel* formula_;
  QLabel* source_;
  Section* form_section_;
  GrowthForm* form_;
  NamedNumber* parameters_;
  NamedNumber* flops_;
  QLabel* notes_;
  QLabel* learns_;
  GrowthChain* chain_;
  QPushButton* remove_;
  Section* schedule_section_;
  QLabel* scheduled_;
  QLabel* cell_;
};

}  // namespace tfm::ui
