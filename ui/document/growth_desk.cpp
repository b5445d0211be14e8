// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/growth_desk.h"

#include <QStringList>
#include <algorithm>
#include <utility>

#include "core/base/system_memory.h"
#include "core/model/build_program.h"
#include "ui/document/in_background.h"
#include "ui/document/model_document.h"

namespace tfm::ui {
namespace {

using namespace std::chrono_literals;

constexpr std::int64_t kProbeExamples = 64;
// Most previews take a few milliseconds: who waits for them shows plan and preview at once.
constexpr auto kPatience = 30ms;

struct Made {
  std::shared_ptr<GrowthPreview> preview;
  std::optional<Error> problem;
  int problem_at = -1;
};

std::int64_t forwardFlops(const ModelConfig& config) {
  return buildProgram(config, fullShape(config, 1), {}).forwardFlops();
}

/// What the plan does. Throws Error if the model would become too large to be shown and trained in
/// a window.
std::vector<expand::Change> modestChanges(const ModelState& state, const expand::Plan& plan) {
  std::vector<expand::Change> changes = expand::planGrowths(state, plan);
  const std::int64_t count = changes.empty() ? 0 : changes.back().layout_after.total;
  if (count <= GrowthDesk::kMostParameters) return changes;
  constexpr std::int64_t kEach = 4 * sizeof(float);  // the number, its gradient and two moments
  const auto million = [](std::int64_t n) { return std::to_string((n + 500'000) / 1'000'000); };
  throw Error("the grown model would have " + million(count) + " million parameters and need " +
                  byteText(kEach * count) + " to train",
              "growing " + std::string(expand::kindName(plan.back().kind)),
              "Choose a smaller size: models of up to " + million(GrowthDesk::kMostParameters) +
                  " million can be shown and trained here");
}

/// As much of the plan as can be done.
Made makePreview(std::shared_ptr<const ModelState> state, const expand::Plan& plan) {
  Made made;
  made.preview = std::make_shared<GrowthPreview>();
  GrowthPreview& p = *made.preview;
  for (expand::Plan possible = plan; !possible.empty() && !p.grown;) {
    try {
      p.grown = std::make_shared<const expand::Grown>(
          expand::growParameters(*state, modestChanges(*state, possible)));
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
}

GrowthDesk::~GrowthDesk() = default;

void GrowthDesk::setPlan(expand::Plan plan) {
  if (plan == plan_) return;
  plan_ = std::move(plan);
  ++revision_;
  proof_wanted_ = false;
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
  if (working_) {
    again_ = true;
    return;
  }
  working_ = true;
  // A plan is for the present, whatever moment is shown.
  const bool now = document_.showsNow() && !snapshot->is_difference;
  inBackground<Made>(
      this,
      [snapshot, plan = now ? plan_ : expand::Plan()] {
        Made made = makePreview(snapshot->state, plan);
        made.preview->is_difference = snapshot->is_difference;
        made.preview->unpaired = snapshot->unmatchedParameters();
        return made;
      },
      [this, now, revision = revision_](const Made& made) {
        working_ = false;
        const bool newest = revision == revision_;
        if (newest) {
          const bool trained = !preview_ || preview_->before->step != made.preview->before->step;
          preview_ = made.preview;
          preview_revision_ = now && document_.showsNow() ? revision : -1;
          problem_ = made.problem;
          problem_at_ = made.problem_at;
          if (trained) forgetProof();
          tellPlan();
          emit previewChanged();
          if (std::exchange(proof_wanted_, false)) prove();
        }
        if (std::exchange(again_, false) || !newest) update();
      },
      patience);
}

void GrowthDesk::prove() {
  if (plan_.empty() || proving_) return;
  proof_wanted_ = !isCurrent();
  if (proof_wanted_ || problem_ || !preview_->grown) return;
  proving_ = true;
  emit proofChanged();
  struct Outcome {
    std::shared_ptr<const train::GrowthProof> proof;
    std::optional<Error> problem;
  };
  const auto work = [preview = preview_, task = document_.sharedTask(),
                     framing = document_.framing()]() -> Outcome {
    try {
      return {std::make_shared<const train::GrowthProof>(train::proveGrowth(
                  *preview->before, *preview->grown, *task, framing, kProbeExamples)),
              {}};
    } catch (const Error& problem) {
      return {nullptr, problem};
    }
  };
  inBackground<Outcome>(this, work, [this, revision = revision_](const Outcome& outcome) {
    proving_ = false;
    if (revision == revision_) {
      proof_ = outcome.proof;
      if (outcome.problem) problem_ = outcome.problem;
    }
    emit proofChanged();
  });
}

void GrowthDesk::apply(const std::function<void(const std::optional<Error>&)>& done) {
  // What is typed but not shown yet is not what the user agreed to.
  if (plan_.empty() || !isCurrent() || problem_) return;
  QStringList growths;
  for (const expand::Change& change : preview_->changes())
    growths << QString::fromStdString(expand::describe(change.growth, change.before));
  document_.changeModel(
      growths.join(QStringLiteral("; ")),
      [plan = plan_](const ModelState& state) { return expand::grow(state, plan).state; }, done);
}

}  // namespace tfm::ui
