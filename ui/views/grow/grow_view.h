// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>

#include "ui/document/growth_planner.h"
#include "ui/document/model_document.h"
#include "ui/forward.h"
#include "ui/growth/animation_export.h"
#include "ui/views/grow/growth_pictures.h"
#include "ui/views/view.h"

namespace tfm::ui {

/// The Grow screen: enlarges the trained model without changing its answers. The six expansions are
/// chosen, shown on the model's own matrices, proved, broken and applied.
class GrowView : public View {
  Q_OBJECT

 public:
  using Look = GrowthPictures::Look;

  GrowView(Style& style, ModelDocument& document, QWidget* parent = nullptr);

  GrowthPlanner& planner() { return *planner_; }
  GrowthWall& wall() { return pictures_->wall(); }
  MatrixWall& space() { return pictures_->space(); }
  ProofPanel& proof() { return *proof_; }
  Motion& animation() { return *animation_; }
  /// The plan as one figure; requires a preview.
  std::unique_ptr<GrowthPair> beforeAndAfter() const;
  /// Makes a painter of film frames of what is planned or was applied, in the current look.
  FramePainter film(const QSize& frame) const;
  /// See PlanEditor.
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
  Need need() const override { return {.parameters = true, .moments = true}; }
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

  /// Selects the matrix in which other views have locked a number.
  void followChoice();
  void showPreview();
  void showPlan();
  void showRule();
  /// Updates what the panel offers for the form's growth.
  void showProof();
  void showTools();
  /// Whether the model has not changed since the last applied growth.
  bool appliedStands() const;
  /// The subject of films and figures: the plan, or the applied growth while appliedStands(); else
  /// null.
  std::shared_ptr<const GrowthPreview> described() const;
  QString whyNoRule() const;
  /// Which moment's matrices are shown if nothing is planned.
  QString momentSentence() const;
  void endMotion();
  /// Calls `write` and emits saved() with the path it returns, unless that is empty because the
  /// user cancelled, or failed() with the Error it throws.
  void exportTo(const QString& what, const std::function<QString()>& write);
  void exportAnimation();
  void exportPair();
  void openStudy();

  Style& style_;
  ModelDocument& document_;
  GrowthPlanner* planner_;
  PlanEditor* editor_;
  bool growing_ = false;                          ///< the applied growth is being animated
  std::shared_ptr<const GrowthPreview> applied_;  ///< the newest
  std::shared_ptr<const train::GrowthProof> applied_proof_;  ///< null: it was not proved

  GrowthCards* cards_;
  Panel* panel_;
  Segmented* looks_;
  QToolButton* choose_;  ///< replaces the cards when they are hidden
  GrowthPictures* pictures_;
  ProofPanel* proof_;
  QAction* pair_;  // in the corner menu: before and after
  Motion* animation_;
  GrowthInspector* inspector_;
};

}  // namespace tfm::ui
