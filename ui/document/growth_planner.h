// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/ask/growth_proof.h"
#include "core/base/error.h"
#include "core/expand/grow.h"
#include "ui/document/forward.h"
#include "ui/document/latest_job.h"
#include "ui/document/moments.h"

namespace tfm::ui {

/// The effect of a plan on the open model now.
struct GrowthPreview {
  std::shared_ptr<const ModelState> before;
  std::shared_ptr<const expand::Grown> grown;  ///< null if nothing is planned
  std::vector<expand::GrownMatrix> matrices;   ///< every parameter, grown if there is a plan
  std::int64_t flops_before = 0;               ///< of one forward pass of the longest sequence
  std::int64_t flops_after = 0;
  bool is_difference = false;           ///< `before` is a difference, which is no model
  std::vector<ParameterInfo> unpaired;  ///< NaN where the earlier moment has no cell

  std::span<const expand::Change> changes() const {
    return grown ? std::span(grown->changes) : std::span<const expand::Change>();
  }
  const ModelState& after() const { return grown ? grown->state : *before; }
};

/// Plans, previews, proves and applies a growth. Previews and proofs are computed on another thread
/// from the newest snapshot of the document; the view that shows them requests parameters
/// (Need::parameters).
class GrowthPlanner : public QObject {
  Q_OBJECT

 public:
  explicit GrowthPlanner(ModelDocument& document, QObject* parent = nullptr);
  ~GrowthPlanner() override;

  const expand::Plan& plan() const { return plan_; }
  /// Sets the plan and discards the proof; a preview follows.
  void setPlan(expand::Plan plan);

  /// Whether the present is shown; plans apply to it.
  bool showsNow() const;
  /// The newest preview; null before the first snapshot. If another moment is shown, its parameters
  /// unchanged.
  const std::shared_ptr<const GrowthPreview>& preview() const { return preview_; }
  /// Why the plan cannot be applied, and which of its growths is the problem; the preview is then
  /// of the growths before it.
  const std::optional<Error>& problem() const { return problem_; }
  int problemAt() const { return problem_at_; }

  /// Larger models are not grown here: showing them would take minutes.
  static constexpr std::int64_t kMaxParameters = 100'000'000;

  /// Whether the preview is of the present plan.
  bool isCurrent() const { return preview_ && is_current_; }

  /// Compares before and after as soon as there is a preview of the plan; proofChanged() follows.
  /// Does nothing for an empty or impossible plan.
  void prove();
  bool isProving() const { return proofs_.isBusy(); }
  /// The proof of the present plan; null before prove() and after the plan or model changed.
  const std::shared_ptr<const train::GrowthProof>& proof() const { return proof_; }

  /// Grows the model at the next step boundary; undoable. The plan is empty afterwards. `done` is
  /// called with the error, if any, including expand::Cancelled. Does nothing for an impossible
  /// plan or one without a preview.
  void apply(const std::function<void(const std::optional<Error>&)>& done);
  bool isApplying() const { return applying_ != nullptr; }

  /// Whether a preview, a proof or the grown model is being computed.
  bool isWorking() const { return isApplying() || isProving() || isPreviewing(); }
  /// The same, for long enough that the user may want to cancel it.
  bool isSlow() const { return isWorking() && slow_; }
  /// Progress of that, from 0 to 1.
  double progress() const;
  /// Cancels the work in progress at once. A plan without a preview is replaced by the previous
  /// one, which has a preview; a plan that was being proved or applied stays.
  void cancel();

 signals:
  /// If isCurrent() already, previewChanged() follows at once.
  void planChanged();
  void previewChanged();
  void proofChanged();
  /// isWorking(), isSlow() or progress() changed; ten times per second while working.
  void progressChanged();

 private:
  /// The outcome of a plan.
  struct MadePreview {
    std::shared_ptr<GrowthPreview> preview = nullptr;
    std::optional<Error> problem = std::nullopt;
    int problem_at = -1;
  };
  struct MadeProof {
    std::shared_ptr<const train::GrowthProof> proof;
    std::optional<Error> problem;
  };

  /// What the document showed when the snapshot was requested.
  struct Shown {
    Comparison comparison = Comparison::Now;
    bool now = true;
    std::int64_t step = 0;
    bool operator==(const Shown&) const = default;
  };

  void modelChanged();
  void momentChanged();
  void emitPlanChanged();
  /// Makes the preview in the background.
  void update();
  void takePreview(const MadePreview& made, const expand::Plan& plan, bool now);
  void endPreview();
  /// Cancels and discards the proof: the plan or state changed.
  void endProof();
  void forgetProof();
  bool isPreviewing() const { return previews_.isBusy() && !plan_.empty() && !isCurrent(); }
  /// To be called when a preview, a proof or the grown model has begun, and when it has ended.
  void workBegun();
  void workEnded();

  ModelDocument& document_;
  ModelConfig planned_for_;
  Shown shown_;
  bool snapshot_is_old_ = false;  ///< the snapshot is of what was shown before
  expand::Plan plan_;
  std::optional<expand::Plan> previewed_plan_;  ///< that of preview_, if it is of the present
  std::shared_ptr<const GrowthPreview> preview_;
  std::shared_ptr<const train::GrowthProof> proof_;
  std::optional<Error> problem_;
  int problem_at_ = -1;
  bool is_current_ = false;
  bool plan_is_news_ = false;  ///< planChanged() is due
  bool proof_wanted_ = false;
  std::shared_ptr<JobState> applying_;  ///< null while nothing is applied
  LatestJob previews_{this}, proofs_{this};
  QTimer tick_;
  int ticks_ = 0;
  bool slow_ = false;
};

}  // namespace tfm::ui
