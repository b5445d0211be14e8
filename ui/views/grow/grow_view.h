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

/// The trained model becomes larger and answers as before: the six expansions are chosen, seen on
/// the model's own matrices, proved, broken and applied.
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
  /// What is planned, as one figure; a preview is there.
  std::unique_ptr<GrowthPair> beforeAndAfter() const;
  /// Paints frames of that size of what is planned or was applied, as it is looked at: all
  /// matrices, the one that is selected, or in space from where the camera stands.
  FramePainter film(const QSize& frame) const;
  /// Plans an expansion of this kind, or selects the one that is planned.
  void choose(expand::Kind kind);
  void showLook(Look look);
  /// Grows the model; the matrices are seen growing.
  void apply();
  /// Takes the plan of a file of JSON, as the command line does, or writes it there.
  void openPlan(const QString& path);
  void savePlan(const QString& path);

 signals:
  /// Something asked for could not be done.
  void failed(const tfm::Error& problem);
  /// A file was written; `what` says which.
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
  /// A matrix's edge stands where it has so many rows or columns.
  void dragged(Qt::Orientation along, int indices);
  void askForPlan();
  void askWhereToSave();

  void showPreview();
  void showPlan();
  /// Whether the model is still as the last growth that was applied left it.
  bool appliedStands() const;
  /// What films and figures tell of: the plan, or what was applied as long as it stands; else null.
  std::shared_ptr<const GrowthPreview> described() const;
  std::vector<GrownCells> describedCells() const;
  /// What the form's growth allows the panel to do.
  void showProof();
  void showRule();
  QString whyNoRule() const;
  /// Which moment's matrices are seen where nothing is planned.
  QString momentSentence() const;
  void showMatrix(int matrix);
  void showCell(const QString& cell);
  void showSpace();
  void showTools();
  void listMatrices();
  /// How the selected growth makes this matrix larger; null where it does not.
  const expand::ParameterGrowth* grownBySelected(int matrix) const;
  /// The first matrix shown that the selected growth makes larger, or else the first; -1: none.
  int firstOfSelected() const;
  /// The growth's size where the matrix looked at has so many rows or columns; nothing where the
  /// growth does not change their number.
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
  std::vector<GrownCells> cells_;       ///< of the preview that is shown
  std::optional<expand::Kind> led_to_;  ///< the growth whose matrices were last brought into view
  std::shared_ptr<const GrowthPreview> applied_;             ///< the newest
  std::shared_ptr<const train::GrowthProof> applied_proof_;  ///< null: it was not proved

  GrowthCards* cards_;
  Panel* panel_;
  Segmented* looks_;
  QComboBox* which_;     ///< of the matrices, where one is looked at
  QToolButton* choose_;  ///< stands in for the cards where they are hidden: on a projector
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
