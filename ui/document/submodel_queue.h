// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFuture>
#include <QObject>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/error.h"
#include "core/train/submodel_scorer.h"

namespace tfm::ui {

/// What submodels are measured of, and on what.
struct ScoringSubject {
  std::shared_ptr<const data::Task> task;
  std::shared_ptr<const ModelState> state;
  std::int64_t examples = 0;
  int threads = 1;
};

/// Measures submodels one after the other on another thread. Destroying it gives up what is being
/// measured and waits for its next batch.
class SubmodelQueue : public QObject {
  Q_OBJECT

 public:
  explicit SubmodelQueue(QObject* parent = nullptr);
  ~SubmodelQueue() override;

  /// Gives up everything and measures these, in this order.
  void start(ScoringSubject subject, std::vector<Submodel> submodels);
  /// Measures these of the same subject, too; what is in the queue is not asked for twice.
  void add(const std::vector<Submodel>& submodels);
  /// Measures this one at once; what is being measured gives way and follows.
  void addFirst(const Submodel& submodel);
  /// Takes what is not measured yet out of the queue, what is being measured included.
  void remove(const Submodel& submodel);

  const ScoringSubject& subject() const { return subject_->subject; }
  /// What is still to be measured, what is being measured included.
  int left() const { return int(waiting_.size()) + (isMeasuring() ? 1 : 0); }

 signals:
  /// What is known so far of a submodel of the subject; `complete`: all of it.
  void scored(const tfm::train::SubmodelScore& score, bool complete);
  /// A submodel could not be measured; the next one follows.
  void failed(const tfm::Error& problem);
  /// What was the last has come to its end.
  void emptied();

 private:
  /// What is measured, and what measures it, once that was needed: one run at a time does.
  struct Subject {
    ScoringSubject subject;
    std::unique_ptr<train::SubmodelScorer> scorer = nullptr;
  };
  struct Run;
  struct Outcome {
    std::optional<train::SubmodelScore> score;
    std::optional<Error> problem;
  };

  /// Whether a run is under way whose result is wanted.
  bool isMeasuring() const;
  void giveUp();
  void startNext();
  void finish(const Outcome& outcome);

  std::shared_ptr<Subject> subject_ = std::make_shared<Subject>();
  std::deque<Submodel> waiting_;
  std::shared_ptr<Run> run_;  ///< on the other thread, even if it was given up
  QFuture<Outcome> future_;   ///< of the run
};

}  // namespace tfm::ui
