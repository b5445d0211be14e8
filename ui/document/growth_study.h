// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <atomic>
#include <memory>
#include <optional>
#include <thread>

#include "core/base/error.h"
#include "core/train/study.h"

namespace tfm::ui {

/// A study of growing on a thread of its own, heard of through signals on the thread of this
/// object. Destroying it gives the study up and waits for its next measurement.
class GrowthStudy : public QObject {
  Q_OBJECT

 public:
  explicit GrowthStudy(QObject* parent = nullptr);
  ~GrowthStudy() override;

  /// Forgets the former study and begins this one. Nothing happens while one is running.
  void start(train::StudyConfig config);
  /// Ends the study at its next measurement; finished() follows, and the result says so.
  void cancel();

  bool isRunning() const { return running_; }
  /// Share of all steps that is done, 0 to 1.
  double progress() const { return progress_; }
  /// From the pace until now; none before the first measurement and after the end.
  std::optional<double> secondsLeft() const;
  /// What is measured so far; null before the first measurement.
  const std::shared_ptr<const train::StudyResult>& result() const { return result_; }
  /// Why the study could not be done.
  const std::optional<Error>& problem() const { return problem_; }

 signals:
  /// progress() and result() are newer.
  void advanced();
  /// The study has come to its end, was cancelled or has failed.
  void finished();

 private:
  void work(const train::StudyConfig& config);
  void take(double share, std::shared_ptr<const train::StudyResult> so_far);
  void finish(std::shared_ptr<const train::StudyResult> result,
              const std::optional<Error>& problem);

  std::thread thread_;
  std::atomic<bool> cancelled_ = false;
  QElapsedTimer clock_;
  std::shared_ptr<const train::StudyResult> result_;
  std::optional<Error> problem_;
  double progress_ = 0.0;
  bool running_ = false;
};

}  // namespace tfm::ui
