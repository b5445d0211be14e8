// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/growth_planner.h"

#include <QPointer>
#include <QStringList>
#include <algorithm>
#include <utility>

#include "core/base/system_memory.h"
#include "core/expand/kinds.h"
#include "core/model/build_program.h"
#include "core/train/trainer.h"
#include "ui/document/model_document.h"

namespace tfm::ui {
namespace {

using namespace std::chrono_literals;

constexpr std::int64_t kProbeExamples = 64;
// Most previews take a few milliseconds: waiting shows plan and preview together.
constexpr auto kPatience = 30ms;
constexpr auto kTick = 100ms;
constexpr int kSlowTicks = 4;  // shorter work needs no Cancel button

std::int64_t forwardFlops(const ModelConfig& config) {
  return buildProgram(config, fullShape(config, 1), {}).forwardFlops();
}

/// What the planner needs from the document to make a preview on another thread.
struct PreviewContext {
  std::shared_ptr<const data::Task> task;  ///< may be null
  train::TrainConfig training;
  int threads = 1;
};

/// Throws Error, before allocating anything, if the model would be too large to show and train.
void requireModesty(const ModelState& state, const expand::Plan& plan,
                    const PreviewContext& present) {
  const auto outline = expand::outlineGrowths(state.config, plan, state.step);
  const expand::Change& last = outline.back();
  const std::int64_t count = last.layout_after.total;
  if (count > GrowthPlanner::kMaxParameters) {
    constexpr std::int64_t kEach = 4 * sizeof(float);  // the number, its gradient and two moments
    const auto million = [](std::int64_t n) { return std::to_string((n + 500'000) / 1'000'000); };
    throw Error("the grown model would have " + million(count) + " million parameters and need " +
                    byteText(kEach * count) + " to train",
                "growing " + std::string(expand::rowOf(plan.back().kind).name),
                "Choose a smaller size: models of up to " + million(GrowthPlanner::kMaxParameters) +
                    " million can be shown and trained here");
  }
  if (present.task)
    train::Trainer::requireMemory(last.after, *present.task, present.training.batch_size,
                                  present.threads, present.training.nesting);
}

/// The plan up to its first problem. Throws expand::Cancelled.
template <class Made>
Made makePreview(std::shared_ptr<const ModelState> state, const expand::Plan& plan,
                 const PreviewContext& present, const expand::Progress& progress) {
  Made made{std::make_shared<GrowthPreview>()};
  GrowthPreview& p = *made.preview;
  for (expand::Plan possible = plan; !possible.empty() && !p.grown;) {
    try {
      requireModesty(*state, possible, present);
      p.grown = std::make_shared<const expand::Grown>(expand::growParameters(
          *state, expand::planGrowths(*state, possible, progress), progress));
    } catch (const expand::Cancelled&) {
      throw;
    } catch (const Error& problem) {
      made.problem = problem;
      possible.pop_back();
      made.problem_at = int(possible.size());
    }
  }
  p.matrices = p.grown ? expand::grownMatrices(state, p.grown) : expand::unchangedMatrices(state);
  p.flops_before = forwardFlops(state->config);
  p.flops_after = p.grown ? forwardFlops(p.grown->state.config) : p.flops_before;
  p.before = std::move(state);
  return made;
}

/// Tells a job's owner how far it is, and is cancelled by it.
expand::Progress progressOf(JobState& job) {
  return [&job](std::int64_t done_now, std::int64_t all) {
    job.done = double(done_now) / double(std::max<std::int64_t>(1, all));
    return !job.stopped;
  };
}

}  // namespace

GrowthPlanner::GrowthPlanner(ModelDocument& document, QObject* parent)
    : QObject(parent), document_(document) {
  connect(&document_, &ModelDocument::replaced, this, &GrowthPlanner::modelChanged);
  connect(&document_.moments(), &Moments::shapeChanged, this, [this] {
    // Looking at a moment before a growth changes what is shown, not the plan.
    if (document_.training().model() != planned_for_) modelChanged();
  });
  connect(&document_.moments(), &Moments::momentChanged, this, &GrowthPlanner::momentChanged);
  connect(&document_.observing(), &Observing::snapshotChanged, this, [this] {
    snapshot_is_old_ = false;
    update();
  });
  tick_.setInterval(kTick);
  connect(&tick_, &QTimer::timeout, this, [this] {
    slow_ = ++ticks_ >= kSlowTicks;
    emit progressChanged();
  });
}

GrowthPlanner::~GrowthPlanner() {
  // Nobody will see the result, so the destructor does not wait for it.
  if (applying_) applying_->stopped = true;
}

void GrowthPlanner::workBegun() {
  if (tick_.isActive()) return;
  ticks_ = 0;
  slow_ = false;
  tick_.start();
}

void GrowthPlanner::workEnded() {
  if (isWorking()) return;
  tick_.stop();
  if (std::exchange(slow_, false)) emit progressChanged();
}

double GrowthPlanner::progress() const {
  if (isApplying()) return applying_->done;
  return isProving() ? proofs_.progress() : isPreviewing() ? previews_.progress() : 0.0;
}

void GrowthPlanner::cancel() {
  if (!isWorking()) return;
  if (isApplying()) {
    applying_->stopped = true;  // reported once the model is known to be unchanged
    return;
  }
  if (isProving()) return endProof();
  endPreview();
  plan_ = previewed_plan_.value_or(expand::Plan());
  is_current_ = previewed_plan_ && showsNow() && !snapshot_is_old_;
  slow_ = false;
  emit planChanged();
  emit previewChanged();
  update();
}

void GrowthPlanner::setPlan(expand::Plan plan) {
  if (plan == plan_) return;
  plan_ = std::move(plan);
  is_current_ = proof_wanted_ = false;
  endPreview();
  endProof();
  plan_is_news_ = true;
  update();
  previews_.wait(kPatience);
  emitPlanChanged();
}

void GrowthPlanner::emitPlanChanged() {
  if (std::exchange(plan_is_news_, false)) emit planChanged();
}

bool GrowthPlanner::showsNow() const { return document_.moments().showsNow(); }

void GrowthPlanner::momentChanged() {
  const bool now = document_.moments().showsNow();
  const Shown shown{document_.moments().comparison(), now,
                    now ? 0 : document_.moments().shownStep()};
  if (std::exchange(shown_, shown) == shown) return;
  is_current_ = false;
  snapshot_is_old_ = true;
}

void GrowthPlanner::modelChanged() {
  planned_for_ = document_.training().model();
  plan_.clear();
  previewed_plan_.reset();
  endPreview();
  preview_.reset();
  problem_.reset();
  problem_at_ = -1;
  is_current_ = false;
  endProof();
  emit planChanged();
  emit previewChanged();
  update();
}

void GrowthPlanner::endPreview() {
  if (!previews_.isBusy()) return;
  previews_.forget();
  workEnded();
}

void GrowthPlanner::endProof() {
  if (!isProving()) return forgetProof();
  proofs_.forget();
  workEnded();
  proof_.reset();
  emit proofChanged();
}

void GrowthPlanner::forgetProof() {
  if (!proof_) return;
  proof_.reset();
  emit proofChanged();
}

void GrowthPlanner::update() {
  const auto& snapshot = document_.observing().snapshot();
  if (!snapshot || !snapshot->state || snapshot_is_old_) return;
  // A plan applies to the present, whatever moment is shown.
  const bool now = document_.moments().showsNow() && !snapshot->is_difference;
  const Training& training = document_.training();
  const PreviewContext present{document_.sharedTask(), training.config(), training.threads()};
  const expand::Plan plan = now ? plan_ : expand::Plan();
  previews_.start(
      [snapshot, present, plan](JobState& job) {
        auto made = makePreview<MadePreview>(snapshot->state, plan, present, progressOf(job));
        made.preview->is_difference = snapshot->is_difference;
        made.preview->unpaired = snapshot->unmatchedParameters();
        return made;
      },
      [this, plan = plan_, now](const MadePreview& made) { takePreview(made, plan, now); });
  workBegun();
}

void GrowthPlanner::takePreview(const MadePreview& made, const expand::Plan& plan, bool now) {
  if (!previews_.isBusy()) workEnded();
  const bool trained = !preview_ || preview_->before->step != made.preview->before->step;
  preview_ = made.preview;
  is_current_ = now && document_.moments().showsNow();
  previewed_plan_ = isCurrent() ? std::optional(plan) : std::nullopt;
  problem_ = made.problem;
  problem_at_ = made.problem_at;
  if (trained) forgetProof();
  emitPlanChanged();
  emit previewChanged();
  if (std::exchange(proof_wanted_, false)) prove();
}

void GrowthPlanner::prove() {
  if (plan_.empty() || isProving()) return;
  proof_wanted_ = !isCurrent();
  if (proof_wanted_ || problem_ || !preview_->grown) return;
  proofs_.start(
      [preview = preview_, codec = document_.sharedCodec(), task = document_.sharedTask(),
       framing = document_.framing()](JobState& job) {
        MadeProof made;
        made.problem = problemOf([&] {
          made.proof = std::make_shared<const train::GrowthProof>(
              train::proveGrowth(*preview->before, *preview->grown, *codec, task.get(), framing,
                                 kProbeExamples, progressOf(job)));
        });
        return made;
      },
      [this](const MadeProof& made) {
        workEnded();
        proof_ = made.proof;
        if (made.problem) problem_ = made.problem;
        emit proofChanged();
      });
  workBegun();
  emit proofChanged();
}

void GrowthPlanner::apply(const std::function<void(const std::optional<Error>&)>& done) {
  // The user has not yet seen the preview of what was just typed.
  if (plan_.empty() || !isCurrent() || problem_ || isApplying()) return;
  QStringList growths;
  for (const expand::Change& change : preview_->changes())
    growths << QString::fromStdString(expand::describe(change.growth, change.before));
  QString label = growths.join(QStringLiteral("; "));
  if (proof_ && proof_->verdict.exact) label += QString::fromUtf8(train::kProved);
  applying_ = std::make_shared<JobState>();
  workBegun();
  emit progressChanged();
  const QPointer<GrowthPlanner> planner(this);
  document_.changes().apply(
      label,
      [plan = plan_, job = applying_](const ModelState& state) {
        return expand::grow(state, plan, progressOf(*job)).state;
      },
      [planner, done](const std::optional<Error>& problem) {
        if (planner) {
          planner->applying_.reset();
          planner->workEnded();
        }
        done(problem);
        if (planner) emit planner->progressChanged();
      });
}

}  // namespace tfm::ui
