// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/error.h"
#include "core/train/training_loop.h"
#include "ui/document/wants.h"

namespace tfm::ui {

/// The views' only door to the engine: one model, its task, its training, its file. Lives on the
/// GUI thread; training runs on a thread of its own and is heard of through signals.
class ModelDocument : public QObject {
  Q_OBJECT

 public:
  /// `threads` for training. Opens nothing; call adopt() first.
  explicit ModelDocument(int threads, QObject* parent = nullptr);
  ~ModelDocument() override;

  /// Shows another document. What was open stays if this throws Error. `path` is empty for one
  /// without a file.
  void adopt(train::Document document, const QString& path = {});
  /// A new untrained model; the task's sizes are put into the config. Throws Error.
  void start(ModelConfig model, const data::TaskConfig& task, const train::TrainConfig& train);
  /// As start(), with the long part on another thread. `done` is called on this one, with what went
  /// wrong if something did; then what was open stays.
  void startInBackground(ModelConfig model, const data::TaskConfig& task,
                         const train::TrainConfig& train,
                         std::function<void(const std::optional<Error>&)> done);
  /// Throws Error; what was open stays.
  void open(const QString& path);
  /// Throws Error; the former file stays.
  void save(const QString& path);
  /// All parameters as .npz. Throws Error.
  void exportNpz(const QString& path);

  int threads() const { return threads_; }
  bool isOpen() const { return loop_ != nullptr; }
  const QString& path() const { return path_; }
  /// What the title bar says: the file's or the task's name.
  QString name() const;
  bool isModified() const { return modified_; }

  const ModelConfig& model() const { return model_; }
  const ParameterLayout& layout() const { return layout_; }
  const data::Task& task() const { return *task_; }
  data::Framing framing() const { return framing_; }
  const train::TrainConfig& training() const { return training_; }
  /// Everything measured so far.
  const train::History& history() const { return history_; }
  std::int64_t step() const { return step_; }
  bool isRunning() const { return running_; }
  /// Training steps a second over the last second; 0 while paused.
  double stepsPerSecond() const { return rate_; }

  void play();
  void pause();
  void togglePlay() { running_ ? pause() : play(); }
  void stepOnce();
  /// The same first weights again, step 0.
  void reset();
  /// Other first weights and data.
  void newSeed();
  /// 0: as fast as possible.
  void setSpeed(double steps_a_second);
  double speed() const { return speed_; }
  /// Takes effect with the next step. Throws Error for values that are not allowed or that memory
  /// cannot hold.
  void setTraining(const train::TrainConfig& config);
  /// Goes on with the same weights and another loss. Waits for the end of the step that is running.
  void setLossPositions(data::LossPositions positions);
  void restoreLastGood();

  /// The text whose inside is shown.
  const QString& question() const { return question_; }
  void setQuestion(const QString& question);
  /// Why the task cannot read the question; none where it can.
  std::optional<Error> questionProblem() const;
  /// Held-out questions that are answered again and again, with the right answers.
  const std::vector<data::Sample>& samples() const { return samples_; }
  /// Lets the model answer, between training steps; answering() follows token by token. An answer
  /// that is still being written is given up.
  void ask(const QString& question, const SamplingOptions& options);
  /// Ends the answer that is being written with what there is of it.
  void stopAnswer();

  /// Says what a view needs from now on; nothing, when it is hidden.
  void setWants(const QObject* view, const Wants& wants);
  /// The newest look inside, or null.
  const std::shared_ptr<const train::Snapshot>& snapshot() const { return snapshot_; }

 signals:
  /// Another model is here: everything may have changed.
  void replaced();
  /// history() grew by steps from index `first`, evaluations from index `first_evaluation`.
  void measured(int first, int first_evaluation);
  /// Training begins anew from step 0, or from an earlier one: history() is shorter than it was.
  void rewound();
  void snapshotChanged();
  void runningChanged(bool running);
  void trainingChanged();
  void questionChanged(const QString& question);
  /// What ask() has led to so far, until it is finished.
  void answering(const tfm::train::AnsweredQuestion& answer, bool finished);
  void askFailed(const tfm::Error& problem);
  void titleChanged();
  /// Training stopped by itself.
  void stopped(const QString& reason);
  void diverged(const QString& problem);
  void failed(const QString& problem);

 private:
  struct Prepared;

  static Prepared prepare(train::Document document, int threads);
  void install(Prepared prepared, const QString& path);
  void drain();
  void sendWatch();
  void setModified(bool modified);
  void rewindTo(std::int64_t step);
  train::Document current();

  const int threads_;
  QTimer feed_;
  std::unique_ptr<train::TrainingLoop> loop_;
  std::shared_ptr<const data::Task> task_;
  data::Framing framing_{};
  ModelConfig model_;
  ParameterLayout layout_;
  train::TrainConfig training_;
  train::History history_;
  QString path_, question_;
  std::vector<data::Sample> samples_;
  std::map<const QObject*, Wants> wants_;
  std::shared_ptr<const train::Snapshot> snapshot_;
  std::shared_ptr<std::atomic<bool>> answer_stopped_;  // of the newest ask()
  std::int64_t step_ = 0;
  std::int64_t saved_step_ = 0;
  bool running_ = false;
  bool modified_ = false;
  double speed_ = 0.0;
  double rate_ = 0.0;
  double rate_since_ = 0.0;
  std::int64_t rate_step_ = 0;
};

}  // namespace tfm::ui
