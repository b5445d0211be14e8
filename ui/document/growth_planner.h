// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>
#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/expand/grow.h"
#include "core/train/growth_proof.h"
#include "ui/document/latest_job.h"
#include "ui/document/time_machine.h"

namespace tfm::ui {

class ModelDocument;

/// A plan for the open model as it would turn out now.
struct GrowthPreview {
  std::shared_ptr<const ModelState> before;
  std::shared_ptr<const expand::Grown> grown;  ///< null where nothing is planned
  std::vector<expand::GrownMatrix> matrices;   ///< every parameter, as the plan or as it is
  std::int64_t flops_before = 0;               ///< of one forward pass of the longest sequence
  std::int64_t flops_after = 0;
  bool is_difference = false;           ///< `before` is a difference, which is no model
  std::vector<ParameterInfo> unpaired;  ///< of a difference, with NaN where B has no cell

  std::span<const expand::Change> changes() const {
    return grown ? std::span(grown->changes) : std::span<const expand::Change>();
  }
  const ModelState& after() const { return grown ? grown->state : *before; }
};

/// Where a growth is planned, previewed, proved and applied. Previews and proofs are made on
/// another thread from the newest snapshot of the document; whoever shows them asks the document
/// for parameters (Wants::parameters).
class GrowthPlanner : public QObject {
  Q_OBJECT

 public:
  explicit GrowthPlanner(ModelDocument& document, QObject* parent = nullptr);
  ~GrowthPlanner() override;

  const expand::Plan& plan() const { return plan_; }
  /// Another plan; a preview follows, an old proof is gone.
  void setPlan(expand::Plan plan);

  /// Whether the present is shown, for which plans are.
  bool showsNow() const;
  /// The newest preview that could be made; null before the first snapshot. Where another moment is
  /// shown, its parameters as they are.
  const std::shared_ptr<const GrowthPreview>& preview() const { return preview_; }
  /// Why the plan cannot be done, and which of its growths; the preview then is that of the part
  /// before it.
  const std::optional<Error>& problem() const { return problem_; }
  int problemAt() const { return problem_at_; }

  /// Models of more parameters are not grown here: to show them would take minutes.
  static constexpr std::int64_t kMaxParameters = 100'000'000;

  /// Whether the preview is of the present plan.
  bool isCurrent() const { return preview_ && is_current_; }

  /// Compares before and after as soon as there is a preview of the plan; proofChanged follows.
  /// Nothing for an empty plan or one that cannot be done.
  void prove();
  bool isProving() const { return proof_job_ != nullptr; }
  /// Of the present plan; null before prove(), and once plan or model change.
  const std::shared_ptr<const train::GrowthProof>& proof() const { return proof_; }

  /// Grows the model at the next step boundary; undoable. The plan is empty afterwards. `done`
  /// hears what went wrong, if anything did, and of expand::Cancelled as any other Error. Nothing
  /// for a plan whose preview is not there yet or that cannot be done.
  void apply(const std::function<void(const std::optional<Error>&)>& done);
  bool isApplying() const { return apply_job_ != nullptr; }

  /// Whether a preview of the plan is being made, a proof, or the larger model.
  bool isWorking() const { return isApplying() || isProving() || isPreviewing(); }
  /// The same, for so long already that somebody may want to cancel it.
  bool isSlow() const { return isWorking() && slow_; }
  /// How far that is, from 0 to 1.
  double progress() const;
  /// Ends what isWorking(), at once. A plan that was being worked out is again the one before it,
  /// whose preview is there; what was being proved or applied stays planned.
  void cancel();

 signals:
  /// Where isCurrent() holds already, previewChanged follows at once.
  void planChanged();
  void previewChanged();
  void proofChanged();
  /// isWorking(), isSlow() or progress() are others; ten times a second while it works.
  void progressChanged();

 private:
  /// What came of a plan; no preview where it was cancelled.
  struct MadePreview {
    std::shared_ptr<GrowthPreview> preview = nullptr;
    std::optional<Error> problem = std::nullopt;
    int problem_at = -1;
  };
  struct MadeProof {
    std::shared_ptr<const train::GrowthProof> proof;
    std::optional<Error> problem;
  };

  /// Work on another thread, watched from here.
  struct Job {
    std::atomic<bool> wanted = true;
    std::atomic<double> done = 0.0;  ///< of 1

    expand::Progress progress();
  };
  using SharedJob = std::shared_ptr<Job>;

  /// What of the document was shown when its snapshot was asked for.
  struct Shown {
    Comparison comparison = Comparison::Now;
    bool now = true;
    std::int64_t step = 0;
    bool operator==(const Shown&) const = default;
  };

  void modelChanged();
  void momentChanged();
  void tellPlan();
  /// Makes the preview in the background.
  void update();
  void takePreview(const MadePreview& made, const expand::Plan& plan, bool now);
  void endPreview();
  /// Of another plan or state; nothing is proved of it any more.
  void endProof();
  void forgetProof();
  bool isPreviewing() const { return preview_job_ && !plan_.empty() && !isCurrent(); }
  SharedJob beginJob();
  /// The job whose progress is told.
  const SharedJob& job() const;
  void endJob(SharedJob& job);

  ModelDocument& document_;
  ModelConfig planned_for_;
  Shown shown_;
  bool snapshot_is_old_ = false;  ///< of what was shown before
  expand::Plan plan_;
  std::optional<expand::Plan> previewed_plan_;  ///< that of preview_, if it is of the present
  std::shared_ptr<const GrowthPreview> preview_;
  std::shared_ptr<const train::GrowthProof> proof_;
  std::optional<Error> problem_;
  int problem_at_ = -1;
  bool is_current_ = false;
  bool plan_is_news_ = false;  ///< planChanged is due
  bool proof_wanted_ = false;
  SharedJob preview_job_, proof_job_, apply_job_;  ///< null where there is none
  LatestJob<MadePreview> previews_{this};
  LatestJob<MadeProof> proofs_{this};
  QTimer tick_;
  int ticks_ = 0;
  bool slow_ = false;
};

}  // namespace tfm::ui
