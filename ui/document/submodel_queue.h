// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "core/ask/submodel_scorer.h"
#include "core/base/error.h"
#include "ui/document/latest_job.h"

namespace tfm::ui {

/// The model whose submodels are measured, and on what.
struct ScoringSubject {
  std::shared_ptr<const data::Task> task;
  std::shared_ptr<const ModelState> state;
  std::int64_t examples = 0;
  int threads = 1;
};

/// Measures submodels one after another on another thread.
class SubmodelQueue : public QObject {
  Q_OBJECT

 public:
  explicit SubmodelQueue(QObject* parent = nullptr) : QObject(parent) {}

  /// Cancels everything and measures these, in this order.
  void start(ScoringSubject subject, std::vector<Submodel> submodels);
  /// Adds submodels of the same subject; those already in the queue are skipped.
  void add(const std::vector<Submodel>& submodels);
  /// Measures this one at once; the current measurement is interrupted and follows.
  void addFirst(const Submodel& submodel);
  /// Removes a submodel that has not been measured yet from the queue, even while it is being
  /// measured.
  void remove(const Submodel& submodel);

  const ScoringSubject& subject() const { return subject_->subject; }
  /// Submodels still to be measured, including the current one.
  int left() const { return int(waiting_.size()) + (current_ ? 1 : 0); }

 signals:
  /// The score of a submodel so far; `complete`: on all examples.
  void scored(const tfm::train::SubmodelScore& score, bool complete);
  /// A submodel could not be measured; the next one follows.
  void failed(const tfm::Error& problem);
  /// The last measurement has ended.
  void emptied();

 private:
  /// What is measured, and its scorer once one was needed; used by one job at a time.
  struct Subject {
    ScoringSubject subject;
    std::unique_ptr<train::SubmodelScorer> scorer = nullptr;
  };
  struct Outcome {
    std::optional<train::SubmodelScore> score;
    std::optional<Error> problem;
  };

  void giveUp();
  void startNext();

  std::shared_ptr<Subject> subject_ = std::make_shared<Subject>();
  std::deque<Submodel> waiting_;
  std::optional<Submodel> current_;  ///< being measured
  LatestJob job_{this};
};

}  // namespace tfm::ui
