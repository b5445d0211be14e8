// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ui/document/answers.h"
#include "ui/document/changes.h"
#include "ui/document/files.h"
#include "ui/document/interventions.h"
#include "ui/document/moments.h"
#include "ui/document/observing.h"
#include "ui/document/selection.h"
#include "ui/document/training.h"

namespace tfm::ui {

/// A model that was read and can be opened.
struct ReadModel {
  PreparedRun prepared;
  DocumentFile file;
  std::vector<std::string> notes = {};  ///< how it was read otherwise than as it is
  std::string broken = {};              ///< what is wrong with its numbers; empty: nothing
};

/// The views' only access to the engine: one model, its task, its training, its file. Lives on the
/// GUI thread; training runs on its own thread and reports through signals. Functions and
/// signals are grouped in rooms (training(), moments(), ...); a view takes those it needs.
class ModelDocument : public QObject {
  Q_OBJECT

 public:
  /// `threads` are for training. Nothing is open until adopt() is called.
  explicit ModelDocument(int threads, QObject* parent = nullptr);
  ~ModelDocument() override;

  /// Asked right before the open model is replaced, by whatever lets the user replace it: false to
  /// keep it. `ask` is the window's question about unsaved work.
  bool mayReplace() const { return !ask_ || ask_(); }
  void setReplaceQuestion(std::function<bool()> ask) { ask_ = std::move(ask); }

  /// Opens another document; not undoable. Throws Error and keeps what was open. `path` is empty
  /// for a document without a file.
  void adopt(train::Document document, const QString& path = {});
  /// The same for an unsaved document that belongs to `file`.
  void recover(train::Document document, const DocumentFile& file);
  /// As adopt(), with a new untrained model whose config gets the task's sizes. Throws Error.
  void start(ModelConfig model, const data::TaskConfig& task, const train::TrainConfig& train);
  /// The same, undoable, with the slow part on another thread. `done` is called on this thread,
  /// with the error if there was one; then what was open stays.
  void startInBackground(ModelConfig model, const data::TaskConfig& task,
                         const train::TrainConfig& train, Changes::Done done);
  /// The same with a document that `make` gives on another thread; it may throw. As it can be made
  /// again, it needs no saving before it is changed.
  void openInBackground(std::function<train::Document()> make, Changes::Done done);
  /// Gives the open model, which has no task, one; undoable, on another thread. `done` as above.
  void giveTask(const data::TaskConfig& task, const train::TrainConfig& train, Changes::Done done);
  /// Switches to a run in which the open model begins another task with its weights, undoable; see
  /// train::fineTuned(). `done` as above.
  void fineTune(const data::TaskConfig& task, const train::TrainConfig& train, Changes::Done done);
  /// The slow part of opening a document, for any thread. Throws Error.
  ReadModel readFile(const QString& path) const;
  /// The same of a pretrained model; see train::importedModel().
  ReadModel readImport(const QString& folder) const;
  /// Opens what was read; not undoable.
  void open(ReadModel read);
  /// Throws Error and keeps what was open.
  void open(const QString& path) { open(readFile(path)); }
  /// See Files::save(). What the window shows is kept with it: its moments thinned out to
  /// `kept_bytes` (see train::thin()); 0: without moments and pins.
  void save(const QString& path, bool replace = false,
            std::int64_t kept_bytes = train::kUsualKeptBytes);
  /// Saves a copy without what the window shows; the open file stays the same. Throws Error.
  void saveBare(const QString& path);
  /// What a saved document keeps of the window, its moments as thinned out to `kept_bytes`.
  train::WindowState window(std::int64_t kept_bytes = train::kUsualKeptBytes) const;
  /// `parts` adds what the screens show to what a document keeps of the window.
  void setWindowParts(std::function<void(train::WindowState&)> parts) { parts_ = std::move(parts); }
  /// The document with all that the window shows. Waits for the running step.
  train::Document current();
  /// Copies the document at the next step boundary; `done` is called on the training thread with
  /// the copy and the seconds it took.
  void copy(std::function<void(train::Document document, double seconds)> done);
  /// Continues with the same weights and another loss. Waits for the running step.
  void setLossPositions(data::LossPositions positions);
  /// Sets the task, codec and missing texts of `document` to those of the open one.
  void describeTask(train::Document& document) const;

  bool isOpen() const { return training_.isOpen(); }
  /// Null if the model has no task: then it can be viewed, grown and exported, but not trained.
  const data::Task* task() const { return run_.task.get(); }
  std::shared_ptr<const data::Task> sharedTask() const { return run_.task; }
  /// The codec of the model: its task, if there is one.
  const data::TextCodec& codec() const { return *run_.codec; }
  std::shared_ptr<const data::TextCodec> sharedCodec() const { return run_.codec; }
  /// Why the model has no task, and what to do. Requires that it has none.
  Error whyNoTask() const;
  /// A suggested task config if it has none; see train::likelyTask().
  std::optional<data::TaskConfig> likelyTask() const;
  /// Whether what is measured was held out from training.
  bool hasHeldOutExamples() const { return !run_.task || run_.task->hasHeldOutExamples(); }
  data::Framing framing() const { return run_.framing; }

  Training& training() { return training_; }
  const Training& training() const { return training_; }
  Moments& moments() { return moments_; }
  const Moments& moments() const { return moments_; }
  Interventions& interventions() { return interventions_; }
  const Interventions& interventions() const { return interventions_; }
  Observing& observing() { return observing_; }
  const Observing& observing() const { return observing_; }
  Answers& answers() { return answers_; }
  /// For a text that is written anew while the model learns; cancels nothing of answers().
  Answers& liveAnswers() { return live_answers_; }
  Selection& selection() { return selection_; }
  Changes& changes() { return changes_; }
  const Changes& changes() const { return changes_; }
  Files& files() { return files_; }
  const Files& files() const { return files_; }

 signals:
  /// Another model was opened: everything may have changed.
  void replaced();
  /// After replaced(): it was saved with what the window showed of it.
  void reopened(const tfm::train::WindowState& window);
  /// The opened model can be looked at but is broken.
  void foundBroken(const QString& note);
  /// Something in the files of an imported encoder was left out.
  void importedWithNote(const QString& note);
  /// The opened document has no task because its texts are missing.
  void foundNoTask(const tfm::Error& problem);

 private:
  /// Switches to another document; only the undo history stays.
  void install(PreparedRun prepared, const Run& run);
  /// The same without undo.
  void installAlone(PreparedRun prepared, const Run& run);
  /// What stays when the same model gets another task or loss.
  Run sameRun() const { return {.file = files_.file(), .modified = true}; }
  /// Switches to another run, which can be undone, made on another thread.
  void switchTo(std::function<PreparedRun()> make, const Run& run, Changes::Done done);
  void drain();
  train::WindowState wholeWindow() const;
  /// What is worth saving; with a file, also what was prepared in it.
  Content contentWith(const DocumentFile& file) const;
  Content content() const { return contentWith(files_.file()); }

  QTimer feed_;
  OpenRun run_;
  Training training_;
  Moments moments_;
  Interventions interventions_;
  Observing observing_;
  Selection selection_;
  Answers answers_, live_answers_;
  Files files_;
  Changes changes_;
  std::function<void(train::WindowState&)> parts_;
  std::function<bool()> ask_;
  bool installing_ = false;  ///< nothing is an edit meanwhile
};

}  // namespace tfm::ui
