// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/growth_desk.h"

#include <QPointer>
#include <QStringList>
#include <algorithm>
#include <utility>

#include "core/base/system_memory.h"
#include "core/model/build_program.h"
#include "core/train/trainer.h"
#include "ui/document/in_background.h"
#include "ui/document/model_document.h"

namespace tfm::ui {
namespace {

using namespace std::chrono_literals;

constexpr std::int64_t kProbeExamples = 64;
// Most previews take a few milliseconds: who waits for them shows plan and preview at once.
constexpr auto kPatience = 30ms;
constexpr auto kTick = 100ms;
constexpr int kSlowTicks = 4;  // what is done sooner needs no button that ends it

struct Made {
  std::shared_ptr<GrowthPreview> preview;
  std::optional<Error> problem;
  int problem_at = -1;
};

std::int64_t forwardFlops(const ModelConfig& config) {
  return buildProgram(config, fullShape(config, 1), {}).forwardFlops();
}

/// What the desk must know of the document to make a preview, on another thread.
struct Present {
  std::shared_ptr<const data::Task> task;
  train::TrainConfig training;
  int threads = 1;
};

/// Throws Error if the model would become too large to be shown and trained in a window; known
/// before any of it is made.
void requireModesty(const ModelState& state, const expand::Plan& plan, const Present& present) {
  const auto outline = expand::outlineGrowths(state.config, plan, state.step);
  const expand::Change& last = outline.back();
  const std::int64_t count = last.layout_after.total;
  if (count > GrowthDesk::kMostParameters) {
    constexpr std::int64_t kEach = 4 * sizeof(float);  // the number, its gradient and two moments
    const auto million = [](std::int64_t n) { return std::to_string((n + 500'000) / 1'000'000); };
    throw Error("the grown model would have " + million(count) + " million parameters and need " +
                    byteText(kEach * count) + " to train",
                "growing " + std::string(expand::kindName(plan.back().kind)),
                "Choose a smaller size: models of up to " + million(GrowthDesk::kMostParameters) +
                    " million can be shown and trained here");
  }
  train::Trainer::requireMemory(last.after, *present.task, present.training.batch_size,
                                present.threads, present.training.nesting);
}

/// As much of the plan as can be done. Throws expand::Cancelled.
Made makePreview(std::shared_ptr<const ModelState> state, const expand::Plan& plan,
                 const Present& present, const expand::Progress& progress) {
  Made made;
  made.preview = std::make_shared<GrowthPreview>();
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

}  // namespace

GrowthDesk::GrowthDesk(ModelDocument& document, QObject* parent)
    : QObject(parent), document_(document) {
  connect(&document_, &ModelDocument::replaced, this, &GrowthDesk::modelChanged);
  connect(&document_, &ModelDocument::shapeChanged, this, [this] {
    // To look at a moment before a growth changes what is shown, and no plan.
    if (document_.presentModel() != planned_for_) modelChanged();
  });
  connect(&document_, &ModelDocument::momentChanged, this, &GrowthDesk::momentChanged);
  connect(&document_, &ModelDocument::snapshotChanged, this, [this] {
    snapshot_is_old_ = false;
    update();
  });
  tick_.setInterval(kTick);
  connect(&tick_, &QTimer::timeout, this, [this] {
    slow_ = ++ticks_ >= kSlowTicks;
    emit progressChanged();
  });
}

GrowthDesk::~GrowthDesk() {
  // Who leaves does not wait for what nobody will see.
  for (const SharedJob& job : {preview_job_, proof_job_, apply_job_})
    if (job) job->wanted = false;
}

expand::Progress GrowthDesk::Job::progress() {
  return [this](std::int64_t done_now, std::int64_t all) {
    done = double(done_now) / double(std::max<std::int64_t>(1, all));
    return wanted.load();
  };
}

GrowthDesk::SharedJob GrowthDesk::beginJob() {
  if (!tick_.isActive()) {
    ticks_ = 0;
    slow_ = false;
    tick_.start();
  }
  return std::make_shared<Job>();
}

void GrowthDesk::endJob(SharedJob& job) {
  job.reset();
  if (isWorking()) return;
  tick_.stop();
  if (std::exchange(slow_, false)) emit progressChanged();
}

const GrowthDesk::SharedJob& GrowthDesk::job() const {
  return apply_job_ ? apply_job_ : proof_job_ ? proof_job_ : preview_job_;
}

double GrowthDesk::progress() const { return isWorking() ? job()->done.load() : 0.0; }

void GrowthDesk::cancel() {
  if (!isWorking()) return;
  SharedJob ended = job();
  ended->wanted = false;
  if (ended == apply_job_) return;  // its end is told when the model is known to be as it was
  if (ended == proof_job_) {
    endJob(proof_job_);
    emit proofChanged();
    return;
  }
  plan_ = previewed_plan_.value_or(expand::Plan());
  ++revision_;
  if (previewed_plan_ && showsNow() && !snapshot_is_old_) preview_revision_ = revision_;
  slow_ = false;
  emit planChanged();
  emit previewChanged();
}

void GrowthDesk::setPlan(expand::Plan plan) {
  if (plan == plan_) return;
  plan_ = std::move(plan);
  ++revision_;
  proof_wanted_ = false;
  if (preview_job_) preview_job_->wanted = false;
  forgetProof();
  plan_is_news_ = true;
  update(kPatience);
  tellPlan();
}

void GrowthDesk::tellPlan() {
  if (std::exchange(plan_is_news_, false)) emit planChanged();
}

bool GrowthDesk::showsNow() const { return document_.showsNow(); }

void GrowthDesk::momentChanged() {
  const bool now = document_.showsNow();
  const Shown shown{document_.comparison(), now, now ? 0 : document_.shownStep()};
  if (std::exchange(shown_, shown) == shown) return;
  preview_revision_ = -1;
  snapshot_is_old_ = true;
}

void GrowthDesk::modelChanged() {
  planned_for_ = document_.presentModel();
  plan_.clear();
  previewed_plan_.reset();
  if (preview_job_) preview_job_->wanted = false;
  preview_.reset();
  problem_.reset();
  problem_at_ = -1;
  ++revision_;
  forgetProof();
  emit planChanged();
  emit previewChanged();
  update();
}

void GrowthDesk::forgetProof() {
  if (!proof_) return;
  proof_.reset();
  emit proofChanged();
}

void GrowthDesk::update(std::chrono::milliseconds patience) {
  const auto& snapshot = document_.snapshot();
  if (!snapshot || !snapshot->state || snapshot_is_old_) return;
  if (preview_job_) {
    again_ = true;
    return;
  }
  preview_job_ = beginJob();
  // A plan is for the present, whatever moment is shown.
  const bool now = document_.showsNow() && !snapshot->is_difference;
  const Present present{document_.sharedTask(), document_.training(), document_.threads()};
  inBackground<Made>(
      this,
      [snapshot, present, plan = now ? plan_ : expand::Plan(), job = preview_job_]() -> Made {
        try {
          Made made = makePreview(snapshot->state, plan, present, job->progress());
          made.preview->is_difference = snapshot->is_difference;
          made.preview->unpaired = snapshot->unmatchedParameters();
          return made;
        } catch (const expand::Cancelled&) {
          return {};
        }
      },
      [this, now, revision = revision_, plan = plan_](const Made& made) {
        endJob(preview_job_);
        const bool newest = revision == revision_ && made.preview;
        if (newest) {
          const bool trained = !preview_ || preview_->before->step != made.preview->before->step;
          preview_ = made.preview;
          preview_revision_ = now && document_.showsNow() ? revision : -1;
          previewed_plan_ = isCurrent() ? std::optional(plan) : std::nullopt;
          problem_ = made.problem;
          problem_at_ = made.problem_at;
          if (trained) forgetProof();
          tellPlan();
          emit previewChanged();
          if (std::exchange(proof_wanted_, false)) prove();
        }
        if (std::exchange(again_, false) || revision != revision_) update();
      },
      patience);
}

void GrowthDesk::prove() {
  if (plan_.empty() || isProving()) return;
  proof_wanted_ = !isCurrent();
  if (proof_wanted_ || problem_ || !preview_->grown) return;
  proof_job_ = beginJob();
  emit proofChanged();
  struct Outcome {
    std::shared_ptr<const train::GrowthProof> proof;
    std::optional<Error> problem;
  };
  const auto work = [preview = preview_, task = document_.sharedTask(),
                     framing = document_.framing(), job = proof_job_]() -> Outcome {
    try {
      return {
          std::make_shared<const train::GrowthProof>(train::proveGrowth(
              *preview->before, *preview->grown, *task, framing, kProbeExamples, job->progress())),
          {}};
    } catch (const Error& problem) {
      return {nullptr, problem};
    }
  };
  inBackground<Outcome>(this, work,
                        [this, revision = revision_, job = proof_job_](const Outcome& outcome) {
                          if (job != proof_job_) return;  // nobody waits for it any more
                          endJob(proof_job_);
                          if (revision == revision_) {
                            proof_ = outcome.proof;
                            if (outcome.problem) problem_ = outcome.problem;
                          }
                          emit proofChanged();
                        });
}

void GrowthDesk::apply(const std::function<void(const std::optional<Error>&)>& done) {
  // What is typed but not shown yet is not what the user agreed to.
  if (plan_.empty() || !isCurrent() || problem_ || isApplying()) return;
  QStringList growths;
  for (const expand::Change& change : preview_->changes())
    growths << QString::fromStdString(expand::describe(change.growth, change.before));
  apply_job_ = beginJob();
  emit progressChanged();
  const QPointer<GrowthDesk> desk(this);
  document_.changeModel(
      growths.join(QStringLiteral("; ")),
      [plan = plan_, job = apply_job_](const ModelState& state) {
        return expand::grow(state, plan, job->progress()).state;
      },
      [desk, done](const std::optional<Error>& problem) {
        if (desk) desk->endJob(desk->apply_job_);
        done(problem);
        if (desk) emit desk->progressChanged();
      });
}

}  // namespace tfm::ui
