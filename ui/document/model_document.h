// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <functional>
#include <memory>
#include <optional>

#include "ui/document/answers.h"
#include "ui/document/changes.h"
#include "ui/document/files.h"
#include "ui/document/moments.h"
#include "ui/document/observing.h"
#include "ui/document/training.h"

namespace tfm::ui {

/// The views' only door to the engine: one model, its task, its training, its file. Lives on the
/// GUI thread; training runs on a thread of its own and is heard of through signals. What can be
/// done with it, and what is told of it, are its rooms; a view takes those that it needs.
class ModelDocument : public QObject {
  Q_OBJECT

 public:
  /// `threads` for training. Opens nothing; call adopt() first.
  explicit ModelDocument(int threads, QObject* parent = nullptr);
  ~ModelDocument() override;

  /// Shows another document. What was open stays if this throws Error; else it cannot be brought
  /// back. `path` is empty for one without a file.
  void adopt(train::Document document, const QString& path = {});
  /// The same with one that was not saved, and the file that it has.
  void recover(train::Document document, const DocumentFile& file);
  /// As adopt(), of a new untrained model; the task's sizes are put into the config. Throws Error.
  void start(ModelConfig model, const data::TaskConfig& task, const train::TrainConfig& train);
  /// The same with the long part on another thread, and what was open comes back with
  /// Changes::undo(). `done` is called on this one, with what went wrong if something did; then
  /// what was open stays.
  void startInBackground(ModelConfig model, const data::TaskConfig& task,
                         const train::TrainConfig& train, Changes::Done done);
  /// Gives the open model, which has no task, one, on another thread. `done` as above.
  void giveTask(const data::TaskConfig& task, const train::TrainConfig& train, Changes::Done done);
  /// Throws Error; what was open stays.
  void open(const QString& path);
  /// See Files::save().
  void save(const QString& path, bool replace = false);
  /// All parameters as .npz. Throws Error.
  void exportNpz(const QString& path);
  /// A copy as of the next step boundary; `done` is called with it, and with the seconds that it
  /// took from training, on the training thread.
  void copy(std::function<void(train::Document document, double seconds)> done);
  /// Goes on with the same weights and another loss. Waits for the end of the step that is running.
  void setLossPositions(data::LossPositions positions);
  /// Writes what the open document says of its task.
  void describeTask(train::Document& document) const;

  int threads() const { return threads_; }
  bool isOpen() const { return training_.isOpen(); }
  /// Null where the model has no task: it can be looked at, grown and exported, but not trained.
  const data::Task* task() const { return run_.task.get(); }
  std::shared_ptr<const data::Task> sharedTask() const { return run_.task; }
  /// How the model reads texts: the task, where there is one.
  const data::TextCodec& codec() const { return *run_.codec; }
  std::shared_ptr<const data::TextCodec> sharedCodec() const { return run_.codec; }
  /// Why the model has no task, and what to do. Only where it has none.
  Error whyNoTask() const;
  /// A config to begin with where it has none; see train::likelyTask().
  std::optional<data::TaskConfig> likelyTask() const;
  /// Whether what is measured was held out from training.
  bool hasHeldOutExamples() const { return !run_.task || run_.task->hasHeldOutExamples(); }
  data::Framing framing() const { return run_.framing; }

  Training& training() { return training_; }
  const Training& training() const { return training_; }
  Moments& moments() { return moments_; }
  const Moments& moments() const { return moments_; }
  Observing& observing() { return observing_; }
  const Observing& observing() const { return observing_; }
  Answers& answers() { return answers_; }
  Changes& changes() { return changes_; }
  const Changes& changes() const { return changes_; }
  Files& files() { return files_; }
  const Files& files() const { return files_; }

 signals:
  /// Another model is here: everything may have changed.
  void replaced();
  /// What was opened is there to be looked at, but broken.
  void foundBroken(const QString& note);
  /// What was opened has no task, as its texts are missing.
  void foundNoTask(const tfm::Error& problem);

 private:
  /// Goes on with another document; all but what can be undone is of that from now on.
  void install(PreparedRun prepared, const Run& run);
  /// The same where nothing leads back.
  void installAlone(PreparedRun prepared, const Run& run);
  /// The same model with another task or loss: what can be undone is kept, and training goes on.
  void goOnWith(PreparedRun prepared, bool running);
  void drain();
  train::Document current();

  const int threads_;
  QTimer feed_;
  OpenRun run_;
  Training training_;
  Moments moments_;
  Observing observing_;
  Answers answers_;
  Files files_;
  Changes changes_;
};

}  // namespace tfm::ui
