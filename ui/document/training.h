// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

#include "ui/document/open_run.h"

namespace tfm::ui {

/// How the open model is trained: the controls, the model in training (whatever is shown), and what
/// was measured.
class Training : public QObject {
  Q_OBJECT

 public:
  Training(OpenRun& run, int threads) : run_(run), threads_(threads) {}

  bool isOpen() const { return run_.loop != nullptr; }
  const ModelConfig& model() const { return model_; }
  const ParameterLayout& layout() const { return layout_; }
  const train::TrainConfig& config() const { return config_; }
  /// All measurements and events so far.
  const train::History& history() const { return history_; }
  std::int64_t step() const { return step_; }
  bool isRunning() const { return running_; }
  /// For training and other computations.
  int threads() const { return threads_; }
  /// Where it trains; see FoundDevice.
  const QString& device() const { return device_; }
  /// Training steps per second over the last second; 0 while paused.
  double stepsPerSecond() const { return rate_; }

  /// Playing, stepping and starting over need a task; without one, they emit taskWanted().
  void play();
  void pause();
  /// Continues on the default device; see chooseDevice().
  void moveToDevice();
  void togglePlay() { running_ ? pause() : play(); }
  void stepOnce();
  /// 0: as fast as possible.
  void setSpeed(double steps_a_second);
  double speed() const { return speed_; }
  /// Takes effect with the next step. Throws Error for invalid values or if there is not enough
  /// memory.
  void setConfig(const train::TrainConfig& config);
  /// Sets whether the ops of each step are measured, also in documents opened later.
  void setProfiled(bool profiled);
  /// The cost of the ops during the last second of training; null if it was not measured.
  const std::shared_ptr<const train::Profile>& profile() const { return profile_; }
  /// Adds a flag to the history at the current step.
  void note(train::EventKind kind, const QString& text);

  /// For the document: starts with what it was opened with.
  void open(train::Document document);
  /// Continues with another model; emitReplaced() emits the signals once all rooms have it.
  void replace(const train::Replacement& replacement);
  void emitReplaced(const train::Replacement& replacement);
  /// The news of one drain come in two parts, with the views' snapshots between them.
  void takeSteps(const train::LoopNews& news);
  void takeEvents(const train::LoopNews& news);

  /// Emits taskWanted().
  void wantTask() { emit taskWanted(); }

 signals:
  /// A task is required for what was requested, but the model has none.
  void taskWanted();
  /// Another run was opened; see ModelDocument::replaced().
  void replaced();
  /// There are unsaved changes.
  void edited();
  /// history() grew by steps from index `first`, evaluations from index `first_evaluation`.
  void measured(int first, int first_evaluation);
  /// Training restarts from step 0 or an earlier step, or continues with another model: history()
  /// changed other than by growing.
  void rewound();
  /// history().events grew.
  void flagged();
  void runningChanged(bool running);
  void configChanged();
  void profileChanged();
  /// Training stopped by itself.
  void stopped(const QString& reason);
  /// `can_go_back`: whether Changes::restoreLastGood() has a state.
  void diverged(const QString& problem, bool can_go_back);
  /// Training stopped because the device is out of memory; moveToDevice() continues on another
  /// device.
  void deviceFull(const QString& problem);
  void failed(const QString& problem);

 private:
  void handle(const train::LoopEvent& event);

  OpenRun& run_;
  const int threads_;
  ModelConfig model_;
  ParameterLayout layout_;
  train::TrainConfig config_;
  train::History history_;
  std::int64_t step_ = 0;
  bool running_ = false;
  bool profiled_ = false;
  std::shared_ptr<const train::Profile> profile_;
  double speed_ = 0.0;
  QString device_;
  double rate_ = 0.0;
  double rate_since_ = 0.0;
  std::int64_t rate_step_ = 0;
};

}  // namespace tfm::ui
