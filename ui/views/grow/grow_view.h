// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "ui/document/forward.h"
#include "ui/document/growth_planner.h"
#include "ui/document/model_document.h"
#include "ui/growth/forward.h"
#include "ui/style/forward.h"
#include "ui/views/forward.h"
#include "ui/views/grow/growth_pictures.h"
#include "ui/views/view.h"
#include "ui/widgets/forward.h"

namespace tfm::ui {

/// The Grow screen: enlarges the trained model without changing its answers. The six expansions are
/// chosen, shown on the model's own matrices, proved, broken and applied.
class GrowView : public View {
  Q_OBJECT

 public:
  using Look = GrowthPictures::Look;

  GrowView(Style& style, ModelDocument& document, QWidget* parent = nullptr);

  /// What it is made of.
  struct Parts {
    GrowthPlanner* planner;
    PlanEditor* editor;
    GrowthPictures* pictures;
    ProofPanel* proof;
    Motion* animation;
    GrowthCards* cards;
    GrowthInspector* inspector;
    GrowthExport* files;
  };
  const Parts& parts() const { return parts_; }
  void showLook(Look look);
  /// What is shown; each part holds its own.
  GrowShown state() const;
  /// Shows another plan and look. The matrix follows when the plan has been computed.
  void setState(const GrowShown& state);
  /// Grows the model and animates the matrices.
  void apply();

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

 private:
  Parts makeParts(Style& style);
  QWidget* makeBody();
  void connectInspector();
  void connectPlanner();
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

  Style& style_;
  ModelDocument& document_;
  const Parts parts_;
  bool growing_ = false;                          ///< the applied growth is being animated
  std::shared_ptr<const GrowthPreview> applied_;  ///< the newest
  std::shared_ptr<const train::GrowthProof> applied_proof_;  ///< null: it was not proved

  Panel* panel_;
  Segmented* looks_;
  QToolButton* choose_;  ///< replaces the cards when they are hidden
  QAction* pair_;        // in the corner menu: before and after
};

}  // namespace tfm::ui
