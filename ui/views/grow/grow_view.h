// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>

#include "ui/document/growth_planner.h"
#include "ui/document/model_document.h"
#include "ui/growth/animation_export.h"
#include "ui/growth/grown_cells.h"
#include "ui/views/view.h"

class QAction;
class QComboBox;
class QLabel;
class QPushButton;
class QStackedWidget;
class QToolButton;

namespace tfm::ui {

class GrowthAnimation;
class GrowthPair;
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
class ScheduleList;
class Section;
class Segmented;
class SideZone;
class Style;

/// The Grow screen: enlarges the trained model without changing its answers. The six expansions are
/// chosen, shown on the model's own matrices, proved, broken and applied.
class GrowView : public View {
  Q_OBJECT

 public:
  enum class Look { All, One, Space };

  GrowView(Style& style, ModelDocument& document, QWidget* parent = nullptr);

  GrowthPlanner& planner() { return *planner_; }
  GrowthWall& wall() { return *wall_; }
  MatrixWall& space() { return *space_; }
  ProofPanel& proof() { return *proof_; }
  GrowthAnimation& animation() { return *animation_; }
  /// The plan as one figure; requires a preview.
  std::unique_ptr<GrowthPair> beforeAndAfter() const;
  /// Makes a painter of film frames of what is planned or was applied, in the current look: all
  /// matrices, the selected one, or 3-D with the current camera.
  FramePainter film(const QSize& frame) const;
  /// Plans an expansion of this kind, or selects the planned one.
  void choose(expand::Kind kind);
  void showLook(Look look);
  /// Grows the model and animates the matrices.
  void apply();
  /// Reads or writes a plan as a JSON file, as the command line does.
  void openPlan(const QString& path);
  void savePlan(const QString& path);

 signals:
  /// A requested action failed.
  void failed(const tfm::Error& problem);
  /// A file was written; `what` describes it.
  void saved(const QString& what, const QString& path);

 protected:
  Wants wants() const override { return {.parameters = true}; }
  void shown() override { showPreview(); }
  void hidden() override;
  void leftShown(bool shown) override;
  QWidget* picture() const override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void makeMiddle();
  void makeInspector();
  void connectPlanner();

  void editSelected();
  void breakSelected(expand::Break broken);
  void removeAt(int growth);
  void move(int from, int to);
  void select(int growth);
  /// A matrix's edge was dragged to this many rows or columns.
  void dragged(Qt::Orientation along, int indices);
  void askForPlan();
  void askWhereToSave();

  void showPreview();
  void showPlan();
  /// Whether the model has not changed since the last applied growth.
  bool appliedStands() const;
  /// The subject of films and figures: the plan, or the applied growth while appliedStands(); else
  /// null.
  std::shared_ptr<const GrowthPreview> described() const;
  std::vector<GrownCells> describedCells() const;
  /// Updates what the panel offers for the form's growth.
  void showProof();
  void showRule();
  QString whyNoRule() const;
  /// Which moment's matrices are shown if nothing is planned.
  QString momentSentence() const;
  void showMatrix(int matrix);
  void showCell(const QString& cell);
  void showSpace();
  void showTools();
  void listMatrices();
  /// How the selected growth enlarges this matrix; null if it does not.
  const expand::ParameterGrowth* grownBySelected(int matrix) const;
  /// The first shown matrix that the selected growth enlarges, else the first; -1: none.
  int firstOfSelected() const;
  /// The growth's size at which the shown matrix has this many rows or columns; none if the growth
  /// does not change their number.
  std::optional<std::int64_t> draggedSize(Qt::Orientation along, int indices) const;
  void showMatrices(std::shared_ptr<const GrowthPreview> preview);
  void setProgress(double progress);
  void showLegend();
  void endMotion();
  void exportAnimation();
  void exportPair();
  void openStudy();
  void schedule();
  void showSchedule();
  void takeFromSchedule(int growth);
  const expand::Change* selectedChange() const;

  Style& style_;
  ModelDocument& document_;
  GrowthPlanner* planner_;
  int selected_ = -1;
  bool growing_ = false;  ///< the animation shows what was applied
  std::shared_ptr<const GrowthPreview> shown_;
  std::vector<GrownCells> cells_;       ///< of the shown preview
  std::optional<expand::Kind> led_to_;  ///< the growth whose matrices were last brought into view
  std::shared_ptr<const GrowthPreview> applied_;             ///< the newest
  std::shared_ptr<const train::GrowthProof> applied_proof_;  ///< null: it was not proved

  GrowthCards* cards_;
  Panel* panel_;
  Segmented* looks_;
  QComboBox* which_;     ///< chooses the matrix if only one is shown
  QToolButton* choose_;  ///< replaces the cards when they are hidden
  QPushButton* all_;
  QStackedWidget* pictures_;
  GrowthWall* wall_;
  GrowthMap* map_;
  MatrixWall* space_;
  GrowthLegend* legend_;
  ProofPanel* proof_;
  QAction* pair_;  // in the corner menu: before and after
  GrowthAnimation* animation_;

  SideZone* inspector_;
  Section* rule_section_;
  Section* further_;
  QPushButton* pays_;
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
  QPushButton* save_;
  Section* schedule_section_;
  ScheduleList* schedule_;
  QLabel* cell_;
};

}  // namespace tfm::ui
