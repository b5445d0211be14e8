// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

#include "core/base/error.h"

namespace tfm::ui {

/// A study on a thread of its own; signals are emitted on this object's thread.
class BackgroundStudy : public QObject {
  Q_OBJECT

 public:
  /// Ends the study at its next measurement; finished() follows, and the result is marked as
  /// cancelled.
  void cancel() { cancelled_ = true; }

  bool isRunning() const { return running_; }
  /// Whether it has been cancelled but has not ended yet.
  bool isEnding() const { return running_ && cancelled_; }
  /// Completed fraction of all steps, 0 to 1.
  double progress() const { return progress_; }
  /// Estimated from the pace so far; none before the first measurement and after the end.
  std::optional<double> secondsLeft() const;
  /// Why the study failed.
  const std::optional<Error>& problem() const { return problem_; }

 signals:
  /// progress() and the result have been updated.
  void advanced();
  /// The study is complete, was cancelled or has failed.
  void finished();

 protected:
  explicit BackgroundStudy(QObject* parent) : QObject(parent) {}
  /// A callback for this object's thread.
  using Take = std::function<void()>;
  /// To be called after each measurement, on the study's thread; false cancels.
  using Tell = std::function<bool(double share, Take)>;
  /// Runs `work`, which returns the callback that takes the final result. `work` may throw as a
  /// study does.
  void begin(std::function<Take(const Tell&)> work);
  /// Cancels and ignores all further measurements.
  void abandon();
  /// Cancels and waits for the next measurement: for destructors, as the work may use the object.
  void giveUp();

 private:
  void work(const std::function<Take(const Tell&)>& work);
  void finish(const Take& take, const std::optional<Error>& problem);

  std::thread thread_;
  std::atomic<bool> cancelled_ = false;
  QElapsedTimer clock_;
  std::optional<Error> problem_;
  double progress_ = 0.0;
  bool running_ = false;
  bool abandoned_ = false;
};

/// Runs a study of the engine, such as train::runStudy. The destructor cancels the study and waits
/// for its next measurement.
template <class Config, class Result>
class StudyOf : public BackgroundStudy {
 public:
  using Progress = std::function<bool(double share, const Result& so_far)>;
  using Run = Result (*)(const Config&, const Progress&);

  StudyOf(Run run, QObject* parent) : BackgroundStudy(parent), run_(run) {}
  ~StudyOf() override { giveUp(); }

  /// Discards the previous study and starts this one. Does nothing while one is running.
  void start(Config config) {
    if (isRunning()) return;
    result_.reset();
    config_ = std::make_shared<const Config>(std::move(config));
    begin([this, run = run_, config = config_](const Tell& tell) {
      return takes(run(
          *config, [&](double share, const Result& so_far) { return tell(share, takes(so_far)); }));
    });
  }
  /// Discards the study; a running one ends at its next measurement without a result.
  void forget() {
    config_.reset();
    result_.reset();
    abandon();
  }

  /// The config of the current or last study; null before the first.
  const std::shared_ptr<const Config>& config() const { return config_; }

  /// The result so far; null before the first measurement.
  const std::shared_ptr<const Result>& result() const { return result_; }

 private:
  Take takes(Result result) {
    return [this, kept = std::make_shared<const Result>(std::move(result))] { result_ = kept; };
  }

  const Run run_;
  std::shared_ptr<const Config> config_;
  std::shared_ptr<const Result> result_;
};

}  // namespace tfm::ui
