// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/error.h"
#include "ui/document/interventions.h"
#include "ui/document/moments.h"
#include "ui/document/wants.h"

namespace tfm::ui {

/// Observes the shown model, as far as some view requests it.
class Observing : public QObject {
  Q_OBJECT

 public:
  Observing(OpenRun& run, Moments& moments, const Interventions& interventions);

  /// Sets what a view needs from now on; nothing while it is hidden.
  void setWants(const QObject* view, const Wants& wants);
  /// The newest snapshot, or null.
  const std::shared_ptr<const train::Snapshot>& snapshot() const { return snapshot_; }

  /// The input whose forward pass is shown.
  const QString& question() const { return question_; }
  void setQuestion(const QString& question);
  /// Why the model cannot encode the question; nullopt if it can.
  std::optional<Error> questionProblem() const;
  /// Held-out questions that are answered again and again, with the right answers; none without a
  /// task.
  const std::vector<data::Sample>& samples() const { return samples_; }

  /// For the document: starts with the question, if there is one; takes new snapshots.
  void open(const QString& question);
  void take(std::shared_ptr<const train::Snapshot> snapshot);

 signals:
  void snapshotChanged();
  void questionChanged(const QString& question);

 private:
  void sendWatch();

  OpenRun& run_;
  Moments& moments_;
  const Interventions& interventions_;
  std::map<const QObject*, Wants> wants_;
  QString question_;
  std::vector<data::Sample> samples_;
  std::shared_ptr<const train::Snapshot> snapshot_;
  bool showed_now_ = true;                   ///< when the watch was sent
  std::vector<observe::Intervention> sent_;  ///< with that watch
};

}  // namespace tfm::ui
