// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/submodel_queue.h"

#include <QElapsedTimer>
#include <algorithm>
#include <atomic>
#include <utility>

#include "ui/document/latest_job.h"

namespace tfm::ui {
namespace {

constexpr qint64 kNewsMilliseconds = 40;  // as fast as partial results can be read

}  // namespace

/// One submodel being measured. A scorer is not thread-safe, so the next run waits for a cancelled
/// one.
struct SubmodelQueue::Run {
  std::shared_ptr<Subject> subject;
  Submodel submodel;
  std::atomic<bool> given_up = false;
};

SubmodelQueue::SubmodelQueue(QObject* parent) : QObject(parent) {}

SubmodelQueue::~SubmodelQueue() {
  giveUp();
  future_.waitForFinished();
}

bool SubmodelQueue::isMeasuring() const { return run_ && !run_->given_up; }

void SubmodelQueue::giveUp() {
  if (run_) run_->given_up = true;
}

void SubmodelQueue::start(ScoringSubject subject, std::vector<Submodel> submodels) {
  giveUp();
  subject_ = std::make_shared<Subject>(Subject{std::move(subject)});
  waiting_.assign(submodels.begin(), submodels.end());
  startNext();
}

void SubmodelQueue::add(const std::vector<Submodel>& submodels) {
  for (const Submodel& submodel : submodels) {
    const bool waits = std::ranges::find(waiting_, submodel) != waiting_.end();
    if (!waits && !(isMeasuring() && run_->submodel == submodel)) waiting_.push_back(submodel);
  }
  startNext();
}

void SubmodelQueue::addFirst(const Submodel& submodel) {
  if (isMeasuring() && run_->submodel == submodel) return;
  std::erase(waiting_, submodel);
  if (isMeasuring()) {
    waiting_.push_front(run_->submodel);
    giveUp();
  }
  waiting_.push_front(submodel);
  startNext();
}

void SubmodelQueue::remove(const Submodel& submodel) {
  std::erase(waiting_, submodel);
  if (isMeasuring() && run_->submodel == submodel) giveUp();
}

void SubmodelQueue::startNext() {
  if (run_ || waiting_.empty()) return;
  run_ = std::make_shared<Run>();
  run_->subject = subject_;
  run_->submodel = waiting_.front();
  waiting_.pop_front();
  const auto work = [this, run = run_]() -> Outcome {
    const ScoringSubject& s = run->subject->subject;
    auto& scorer = run->subject->scorer;
    Outcome outcome;
    QElapsedTimer since;
    since.start();
    const auto progress = [&](const train::SubmodelScore& so_far) {
      if (since.elapsed() >= kNewsMilliseconds) {
        const auto pass = [this, run, so_far] {
          if (run == run_ && !run->given_up) emit scored(so_far, false);
        };
        QMetaObject::invokeMethod(this, pass, Qt::QueuedConnection);
        since.start();
      }
      return !run->given_up;
    };
    outcome.problem = problemOf([&] {
      if (!scorer)
        scorer = std::make_unique<train::SubmodelScorer>(s.task, s.state, s.examples, s.threads);
      outcome.score = scorer->score(run->submodel, progress);
    });
    return outcome;
  };
  future_ = inBackground<Outcome>(this, work, [this](const Outcome& outcome) { finish(outcome); });
}

void SubmodelQueue::finish(const Outcome& outcome) {
  const std::shared_ptr<Run> run = std::exchange(run_, nullptr);
  if (!run->given_up && outcome.score) emit scored(*outcome.score, true);
  if (!run->given_up && outcome.problem) emit failed(*outcome.problem);
  startNext();
  if (!run_) emit emptied();
}

}  // namespace tfm::ui
