// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/submodel_queue.h"

#include <QElapsedTimer>
#include <algorithm>
#include <utility>

namespace tfm::ui {
namespace {

constexpr qint64 kNewsMilliseconds = 40;  // as fast as partial results can be read

}  // namespace

void SubmodelQueue::giveUp() {
  job_.forget();
  current_.reset();
}

void SubmodelQueue::start(ScoringSubject subject, std::vector<Submodel> submodels) {
  giveUp();
  subject_ = std::make_shared<Subject>(Subject{std::move(subject)});
  waiting_.assign(submodels.begin(), submodels.end());
  startNext();
}

void SubmodelQueue::add(const std::vector<Submodel>& submodels) {
  for (const Submodel& submodel : submodels)
    if (current_ != submodel && std::ranges::find(waiting_, submodel) == waiting_.end())
      waiting_.push_back(submodel);
  startNext();
}

void SubmodelQueue::addFirst(const Submodel& submodel) {
  if (current_ == submodel) return;
  std::erase(waiting_, submodel);
  if (current_) waiting_.push_front(*current_);
  waiting_.push_front(submodel);
  giveUp();
  startNext();
}

void SubmodelQueue::remove(const Submodel& submodel) {
  std::erase(waiting_, submodel);
  if (current_ != submodel) return;
  giveUp();
  startNext();
}

void SubmodelQueue::startNext() {
  if (current_ || waiting_.empty()) return;
  current_ = waiting_.front();
  waiting_.pop_front();
  const auto work = [this, subject = subject_, submodel = *current_](LatestJob::Run& run) {
    const ScoringSubject& s = subject->subject;
    Outcome outcome;
    QElapsedTimer since;
    since.start();
    const auto progress = [&](const train::SubmodelScore& so_far) {
      if (since.elapsed() >= kNewsMilliseconds) {
        run.tell([this, so_far] { emit scored(so_far, false); });
        since.start();
      }
      return !run.stopped;
    };
    outcome.problem = problemOf([&] {
      auto& scorer = subject->scorer;
      if (!scorer)
        scorer = std::make_unique<train::SubmodelScorer>(s.task, s.state, s.examples, s.threads);
      outcome.score = scorer->score(submodel, progress);
    });
    return outcome;
  };
  job_.start(work, [this](const Outcome& outcome) {
    current_.reset();
    if (outcome.score) emit scored(*outcome.score, true);
    if (outcome.problem) emit failed(*outcome.problem);
    startNext();
    if (!current_) emit emptied();
  });
}

}  // namespace tfm::ui
