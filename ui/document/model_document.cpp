// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/model_document.h"

#include <QScopedValueRollback>
#include <utility>

#include "core/document/fine_tuning.h"
#include "core/document/imported.h"
#include "core/train/diverged.h"
#include "core/train/fit_task.h"

namespace tfm::ui {
namespace {

constexpr int kFeedMilliseconds = 16;

}  // namespace

ModelDocument::ModelDocument(int threads, QObject* parent)
    : QObject(parent),
      training_(run_, threads),
      moments_(run_, training_),
      interventions_(run_, moments_),
      observing_(run_, moments_, interventions_),
      answers_(run_, moments_, interventions_),
      live_answers_(run_, moments_, interventions_),
      files_(run_),
      changes_(run_, training_, moments_, interventions_, observing_, files_,
               {[this] { drain(); },
                [this](PreparedRun prepared, const Run& run) { install(std::move(prepared), run); },
                [this](const DocumentFile& file) { return contentWith(file); }}) {
  connect(this, &ModelDocument::replaced, &training_, &Training::replaced);
  const auto edited = [this] {
    if (installing_) return;
    // At another step it stays edited, without a copy of its content many times a second.
    const auto& saved = files_.file().saved;
    if (files_.isModified() && (!saved || saved->step != training_.step())) return;
    files_.update(content());
  };
  connect(&training_, &Training::edited, &files_, edited);
  connect(&interventions_, &Interventions::changed, &files_, edited);
  connect(&observing_, &Observing::textsChanged, &files_, edited);
  connect(&moments_, &Moments::pinsChanged, &files_, edited);
  connect(&changes_, &Changes::failed, &training_, &Training::failed);
  connect(&interventions_, &Interventions::edited, &changes_, &Changes::takeList);
  connect(&feed_, &QTimer::timeout, this, &ModelDocument::drain);
  feed_.setInterval(kFeedMilliseconds);
}

ModelDocument::~ModelDocument() {
  answers_.stop();
  live_answers_.stop();
  run_.loop.reset();  // its thread must end before the rooms it calls
}

void ModelDocument::install(PreparedRun prepared, const Run& run) {
  const QScopedValueRollback installing(installing_, true);
  answers_.forget();
  live_answers_.forget();
  run_ = std::move(prepared.run);
  auto interventions =
      std::make_shared<const InterventionList>(std::move(prepared.document.interventions));
  const train::WindowState window = std::move(prepared.document.window);
  training_.open(std::move(prepared.document));
  moments_.open(window);
  observing_.open(textsOf(window, Observing::kMostTexts));
  interventions_.set(std::move(interventions));
  selection_.clear();
  DocumentFile file = run.file;
  if (!run.modified && !file.saved) file.saved = contentWith(file);
  files_.set(file, contentWith(file));
  emit replaced();
  emit moments_.momentChanged();
  emit moments_.pinsChanged();
  emit observing_.questionChanged(observing_.question());
  emit observing_.textsChanged();
  emit training_.runningChanged(false);
  if (!window.isEmpty()) emit reopened(window);
  emit files_.titleChanged();
  feed_.start();
}

void ModelDocument::installAlone(PreparedRun prepared, const Run& run) {
  install(std::move(prepared), run);
  changes_.clear();
}

void ModelDocument::adopt(train::Document document, const QString& path) {
  const DocumentFile file{path,
                          path.isEmpty() ? io::FileIdentity() : io::fileIdentity(filePath(path))};
  installAlone(prepareRun(std::move(document), training_.threads()), {.file = file});
}

void ModelDocument::recover(train::Document document, const DocumentFile& file) {
  installAlone(prepareRun(std::move(document), training_.threads()),
               {.file = file, .modified = true});
}

void ModelDocument::start(ModelConfig model, const data::TaskConfig& task,
                          const train::TrainConfig& train) {
  installAlone(prepareNewRun(std::move(model), task, train, training_.threads()),
               {.modified = true});
}

void ModelDocument::startInBackground(ModelConfig model, const data::TaskConfig& task,
                                      const train::TrainConfig& train, Changes::Done done) {
  switchTo([model, task, train,
            threads = training_.threads()] { return prepareNewRun(model, task, train, threads); },
           {.modified = true}, std::move(done));
}

void ModelDocument::fineTune(const data::TaskConfig& task, const train::TrainConfig& train,
                             Changes::Done done) {
  const auto document = std::make_shared<const train::Document>(current());
  switchTo(
      [document, task, train, threads = training_.threads()] {
        return prepareRun(train::fineTuned(*document, task, train).document, threads);
      },
      {.modified = true}, std::move(done));
}

void ModelDocument::switchTo(std::function<PreparedRun()> make, const Run& run,
                             Changes::Done done) {
  const auto go_on = [this, run, done = std::move(done)](const Preparation& result) {
    if (result.problem) return done(result.problem);
    if (isOpen()) return changes_.startRun(tr("New run"), result.prepared, run, done);
    installAlone(std::move(*result.prepared), run);
    done({});
  };
  prepareInBackground(this, std::move(make), go_on);
}

ReadModel ModelDocument::readFile(const QString& path) const {
  ReadModel read;
  read.file = {path, io::fileIdentity(filePath(path))};
  train::Document document = train::openDocument(filePath(path));
  read.broken = train::nonFiniteWarning(document.state);
  read.prepared = prepareRun(std::move(document), training_.threads());
  return read;
}

ReadModel ModelDocument::readImport(const QString& folder) const {
  ReadModel read;
  read.prepared =
      prepareRun(train::importedModel(filePath(folder), &read.notes), training_.threads());
  return read;
}

void ModelDocument::open(ReadModel read) {
  installAlone(std::move(read.prepared), {.file = read.file});
  for (const std::string& note : read.notes) emit importedWithNote(QString::fromStdString(note));
  if (!read.broken.empty()) emit foundBroken(QString::fromStdString(read.broken));
  if (run_.missing) emit foundNoTask(run_.missing->problem);
}

Error ModelDocument::whyNoTask() const {
  return run_.missing ? run_.missing->problem : train::noTask();
}

std::optional<data::TaskConfig> ModelDocument::likelyTask() const {
  train::Document document;
  describeTask(document);
  return train::likelyTask(document);
}

void ModelDocument::describeTask(train::Document& document) const {
  if (run_.task) document.task = run_.task->config();
  if (!run_.task) document.codec = run_.codec;
  document.missing = run_.missing;
}

train::Document ModelDocument::current() {
  changes_.settle();
  train::Document document = run_.loop->document().get();
  document.interventions = interventions_.list();
  document.window = wholeWindow();
  document.window.weights = train::weightsOf(document.state);
  return document;
}

Content ModelDocument::contentWith(const DocumentFile& file) const {
  const train::History& history = training_.history();
  Content content{run_.codec,
                  training_.step(),
                  history.steps.size() + history.evaluations.size(),
                  history.events,
                  training_.model(),
                  training_.config(),
                  interventions_.list(),
                  {},
                  {}};
  if (file.path.isEmpty()) return content;
  content.texts = observing_.texts();
  content.pins = {moments_.pinnedStep(Pin::A), moments_.pinnedStep(Pin::B)};
  return content;
}

train::WindowState ModelDocument::wholeWindow() const {
  train::WindowState window = windowOf(observing_.texts());
  moments_.keepIn(window);
  if (parts_) parts_(window);
  return window;
}

train::WindowState ModelDocument::window(std::int64_t kept_bytes) const {
  train::WindowState window = wholeWindow();
  train::thin(window, kept_bytes);
  return window;
}

void ModelDocument::saveBare(const QString& path) {
  train::Document document = current();
  document.window = {};
  files_.saveCopy(path, document);
}

void ModelDocument::save(const QString& path, bool replace, std::int64_t kept_bytes) {
  train::Document document = current();
  train::thin(document.window, kept_bytes);
  Content saved = contentWith({.path = path});
  const Content now = saved;
  saved.step = document.state.step;
  saved.measured = document.history.steps.size() + document.history.evaluations.size();
  saved.events = document.history.events;
  saved.model = document.state.config;
  files_.save(path, document, replace, saved, now);
}

void ModelDocument::copy(std::function<void(train::Document document, double seconds)> done) {
  train::WindowState window = wholeWindow();
  window.moments.clear();  // too much to write again and again
  if (window.shown == train::WindowState::Shown::Moment)
    window.shown = train::WindowState::Shown::Present;
  run_.loop->copy([done = std::move(done), list = interventions_.shared(),
                   window = std::move(window)](train::Document document, double seconds) {
    document.interventions = *list;
    document.window = window;
    document.window.weights = train::weightsOf(document.state);
    done(std::move(document), seconds);
  });
}

void ModelDocument::setLossPositions(data::LossPositions positions) {
  const bool running = training_.isRunning();
  train::Document document = current();
  drain();
  if (!document.task) return training_.wantTask();
  document.task->loss_positions = positions;
  // Earlier models can learn the new loss as well as this one, so undo still leads to them.
  install(prepareRun(std::move(document), training_.threads()), sameRun());
  changes_.giveUp();
  if (running) training_.play();
}

void ModelDocument::openInBackground(std::function<train::Document()> make, Changes::Done done) {
  switchTo([make = std::move(make),
            threads = training_.threads()] { return prepareRun(make(), threads); },
           {}, std::move(done));
}

void ModelDocument::giveTask(const data::TaskConfig& task, const train::TrainConfig& train,
                             Changes::Done done) {
  const auto document = std::make_shared<const train::Document>(current());
  drain();
  const auto make = [document, task, train, threads = training_.threads()] {
    return prepareTaskFor(*document, task, train, threads);
  };
  const auto go_on = [this, done = std::move(done),
                      life = std::weak_ptr(run_.life)](const Preparation& result) {
    if (result.problem) return done(result.problem);
    if (life.expired())
      return done(Error("another model was opened", {}, "Do it again with this model"));
    result.prepared->document.window = wholeWindow();  // it may show something else by now
    changes_.startRun(tr("Give it a task"), result.prepared, sameRun(), done);
  };
  prepareInBackground(this, make, go_on);
}

void ModelDocument::drain() {
  train::LoopNews news = run_.loop->drain();
  if (news.replaced) {
    moments_.continueWith(*news.replaced, [&] { training_.replace(*news.replaced); });
    training_.emitReplaced(*news.replaced);
  }
  changes_.take(news.changes);
  training_.takeSteps(news);
  if (news.moments) moments_.take(std::move(*news.moments));
  if (news.snapshot) observing_.take(std::move(news.snapshot));
  training_.takeEvents(news);
}

}  // namespace tfm::ui
