// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QThreadPool>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "core/base/error.h"
#include "core/study/study.h"
#include "ui/document/latest_job.h"

namespace tfm::ui {

/// A study on its own thread; signals are emitted on this object's thread. Destroying it gives
/// the study up and waits for its next measurement.
class BackgroundStudy : public QObject {
  Q_OBJECT

 public:
  /// Ends the study at its next measurement; finished() follows, and the result is marked as
  /// cancelled.
  void cancel() { job_.stop(); }

  bool isRunning() const { return job_.isBusy(); }
  /// Whether it has been cancelled but has not ended yet.
  bool isEnding() const { return job_.isEnding(); }
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
  using Take = LatestJob::News;
  /// To be called after each measurement, on the study's thread; false cancels.
  using Tell = std::function<bool(double share, Take)>;
  /// Runs `work`, which returns the callback that takes the final result. `work` may throw as a
  /// study does.
  void begin(std::function<Take(const Tell&)> work);
  /// Cancels and ignores all further measurements; isRunning() until the study has ended.
  void abandon();

 private:
  QElapsedTimer clock_;
  std::optional<Error> problem_;
  double progress_ = 0.0;
  bool abandoned_ = false;
  QThreadPool thread_;  ///< not of the common pool, which a long study would block
  LatestJob job_{this};
};

/// A study whose result is a map that fills while it runs, such as train::importance().
template <class Map>
class MapStudy : public BackgroundStudy {
 public:
  using Progress = std::function<bool(const Map& so_far, double share)>;
  using Work = std::function<std::optional<Map>(const Progress& progress)>;

  explicit MapStudy(QObject* parent = nullptr) : BackgroundStudy(parent) {}

  /// Discards the previous map and starts this work. Does nothing while one is running.
  void start(Work work) {
    if (isRunning()) return;
    result_.reset();
    // Called on the study's thread, where this object may already be half destroyed: it only copies
    // the pointer.
    const auto takes = [this](const Map& map) -> Take {
      return [this, kept = std::make_shared<const Map>(map)] { result_ = kept; };
    };
    begin([takes, work = std::move(work)](const Tell& tell) -> Take {
      const std::optional<Map> whole =
          work([&](const Map& so_far, double share) { return tell(share, takes(so_far)); });
      if (!whole) return [] {};  // cancelled: what was measured stays
      return takes(*whole);
    });
  }
  /// Discards the study; a running one ends at its next measurement without a result.
  void forget() {
    result_.reset();
    abandon();
  }

  /// The map so far; null before the first measurement.
  const std::shared_ptr<const Map>& result() const { return result_; }

 private:
  std::shared_ptr<const Map> result_;
};

/// A study of the engine, such as train::runNestingStudy.
template <class Point>
class StudyOf : public MapStudy<train::StudyResult<Point>> {
 public:
  using Config = train::StudyConfig;
  using Result = train::StudyResult<Point>;
  using Run = Result (*)(const Config&, const train::StudyProgress<Point>&);

  explicit StudyOf(Run run, QObject* parent = nullptr) : MapStudy<Result>(parent), run_(run) {}

  /// Discards the previous study and starts this one. Does nothing while one is running.
  void start(Config config) {
    if (this->isRunning()) return;
    config_ = std::make_shared<const Config>(std::move(config));
    MapStudy<Result>::start([run = run_, config = config_](const auto& progress) {
      return std::optional(run(
          *config, [&](double share, const Result& so_far) { return progress(so_far, share); }));
    });
  }
  /// Discards the study; a running one ends at its next measurement without a result.
  void forget() {
    config_.reset();
    MapStudy<Result>::forget();
  }

  /// The config of the current or last study; null before the first.
  const std::shared_ptr<const Config>& config() const { return config_; }

 private:
  const Run run_;
  std::shared_ptr<const Config> config_;
};

}  // namespace tfm::ui
