// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>

#include "ui/document/growth_planner.h"
#include "ui/document/model_document.h"
#include "ui/growth/animation_export.h"
#include "ui/views/grow/growth_pictures.h"
#include "ui/views/view.h"

class QAction;
class QToolButton;

namespace tfm::ui {

class GrowthAnimation;
class GrowthCards;
class GrowthInspector;
class GrowthPair;
class Panel;
class PlanEditor;
class ProofPanel;
class Segmented;
class Style;

/// The trained model becomes larger and answers as before: the six expansions are chosen, seen on
/// the model's own matrices, proved, broken and applied.
class GrowView : public View {
  Q_OBJECT

 public:
  using Look = GrowthPictures::Look;

  GrowView(Style& style, ModelDocument& document, QWidget* parent = nullptr);

  GrowthPlanner& planner() { return *planner_; }
  GrowthWall& wall() { return pictures_->wall(); }
  MatrixWall& space() { return pictures_->space(); }
  ProofPanel& proof() { return *proof_; }
  GrowthAnimation& animation() { return *animation_; }
  /// What is planned, as one figure; a preview is there.
  std::unique_ptr<GrowthPair> beforeAndAfter() const;
  /// Paints frames of that size of what is planned or was applied, as it is looked at: all
  /// matrices, the one that is selected, or in space from where the camera stands.
  FramePainter film(const QSize& frame) const;
  /// See PlanEditor.
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
  void connectInspector();
  void connectPlanner();

  void askForPlan();
  void askWhereToSave();
  void schedule();

  void showPreview();
  void showPlan();
  void showRule();
  /// What the form's growth allows the panel to do.
  void showProof();
  void showTools();
  /// Whether the model is still as the last growth that was applied left it.
  bool appliedStands() const;
  /// What films and figures tell of: the plan, or what was applied as long as it stands; else null.
  std::shared_ptr<const GrowthPreview> described() const;
  QString whyNoRule() const;
  /// Which moment's matrices are seen where nothing is planned.
  QString momentSentence() const;
  void endMotion();
  /// Writes what `write` asks for; empty: the user gave up.
  void exportTo(const QString& what, const std::function<QString()>& write);
  void exportAnimation();
  void exportPair();
  void openStudy();

  Style& style_;
  ModelDocument& document_;
  GrowthPlanner* planner_;
  PlanEditor* editor_;
  bool growing_ = false;                          ///< the animation shows what was applied
  std::shared_ptr<const GrowthPreview> applied_;  ///< the newest
  std::shared_ptr<const train::GrowthProof> applied_proof_;  ///< null: it was not proved

  GrowthCards* cards_;
  Panel* panel_;
  Segmented* looks_;
  QToolButton* choose_;  ///< stands in for the cards where they are hidden: on a projector
  GrowthPictures* pictures_;
  ProofPanel* proof_;
  QAction* pair_;  // in the corner menu: before and after
  GrowthAnimation* animation_;
  GrowthInspector* inspector_;
};

}  // namespace tfm::ui
