// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/model_document.h"

#include <QDateTime>
#include <algorithm>
#include <array>
#include <utility>

#include "core/data/task_table.h"
#include "core/train/fit_task.h"
#include "core/train/history.h"
#include "ui/document/in_background.h"
#include "ui/document/prepared_document.h"

namespace tfm::ui {
namespace {

constexpr int kFeedMilliseconds = 16;
constexpr std::int64_t kUndoBytes = std::int64_t{512} << 20;
constexpr std::size_t kSamples = 6;
constexpr std::size_t kTextSamples = 2;  // long answers are slow

double now() { return double(QDateTime::currentMSecsSinceEpoch()) / 1000.0; }

/// Held-out questions whose answers are watched.
std::vector<data::Sample> sampleQuestions(const data::Task& task) {
  const std::size_t most = task.form() == data::TaskForm::Text ? kTextSamples : kSamples;
  std::vector<data::Sample> samples;
  for (std::uint64_t i = 0; samples.size() < most && i < 4 * most; ++i) {
    const data::Example example = task.example(data::Split::Evaluation, 0, i);
    data::Sample sample{task.questionText(data::Split::Evaluation, 0, i),
                        task.answerText(example.target)};
    const auto same = [&](const data::Sample& other) { return other.source == sample.source; };
    if (!sample.source.empty() && std::none_of(samples.begin(), samples.end(), same))
      samples.push_back(std::move(sample));
  }
  return samples;
}

}  // namespace

ModelDocument::ModelDocument(int threads, QObject* parent)
    : QObject(parent), threads_(threads), undo_(kUndoBytes) {
  connect(&feed_, &QTimer::timeout, this, &ModelDocument::drain);
  connect(&time_, &TimeMachine::looked, this, &ModelDocument::takeLook);
  connect(&time_, &TimeMachine::pinLooked, this, &ModelDocument::pinLooked);
  feed_.setInterval(kFeedMilliseconds);
}

ModelDocument::~ModelDocument() {
  stopAnswer();
  past_answer_.waitForFinished();
}

ModelDocument::Prepared ModelDocument::prepare(train::Document document, int threads,
                                               std::shared_ptr<const data::Task> task,
                                               const std::vector<train::Moment>& moments) {
  Prepared prepared;
  prepared.task = task ? std::move(task) : data::makeTask(document.task);
  prepared.framing = train::framingFor(document.state.config, *prepared.task);
  prepared.loop = std::make_unique<train::TrainingLoop>(document, threads, prepared.task, moments);
  prepared.document = std::move(document);
  return prepared;
}

ModelDocument::Prepared ModelDocument::prepareNew(ModelConfig model, const data::TaskConfig& task,
                                                  const train::TrainConfig& train, int threads) {
  train::fitToTask(model, *data::makeTask(task));
  return prepare(train::newDocument(model, task, train), threads);
}

void ModelDocument::prepareInBackground(
    std::function<Prepared()> make,
    std::function<void(std::shared_ptr<Prepared>, const std::optional<Error>&)> then) {
  struct Outcome {
    std::shared_ptr<Prepared> prepared;
    std::optional<Error> problem;
  };
  const auto work = [make = std::move(make)] {
    Outcome outcome;
    try {
      outcome.prepared = std::make_shared<Prepared>(make());
    } catch (const Error& problem) {
      outcome.problem = problem;
    } catch (const std::exception& problem) {
      outcome.problem = Error(problem.what());
    }
    return outcome;
  };
  inBackground<Outcome>(this, work, [then = std::move(then)](const Outcome& outcome) {
    then(outcome.prepared, outcome.problem);
  });
}

void ModelDocument::install(Prepared prepared, const Run& run) {
  stopAnswer();
  answer_stopped_.reset();
  ++openings_;
  loop_ = std::move(prepared.loop);
  task_ = std::move(prepared.task);
  framing_ = prepared.framing;
  train::Document& document = prepared.document;
  model_ = document.state.config;
  layout_ = document.state.layout;
  training_ = document.train;
  history_ = std::move(document.history);
  step_ = saved_step_ = rate_step_ = document.state.step;
  setFile(run.file);
  running_ = false;
  modified_ = run.modified;
  rate_ = 0.0;
  snapshot_.reset();
  time_.open(task_);
  samples_ = sampleQuestions(*task_);
  question_ = run.question;
  if (question_.isEmpty() && !samples_.empty())
    question_ = QString::fromStdString(samples_.front().source);
  loop_->setSpeed(speed_);
  if (moment_bytes_) loop_->setMomentBudget(*moment_bytes_);
  emit replaced();
  emit momentChanged();
  emit pinsChanged();
  emit questionChanged(question_);
  emit runningChanged(false);
  emit titleChanged();
  sendWatch();
  feed_.start();
}

void ModelDocument::installAlone(Prepared prepared, const Run& run) {
  install(std::move(prepared), run);
  undo_.clear();
  emit undoChanged();
  giveUpOperations();
}

void ModelDocument::start(ModelConfig model, const data::TaskConfig& task,
                          const train::TrainConfig& train) {
  installAlone(prepareNew(std::move(model), task, train, threads_), {.modified = true});
}

void ModelDocument::startInBackground(ModelConfig model, const data::TaskConfig& task,
                                      const train::TrainConfig& train,
                                      std::function<void(const std::optional<Error>&)> done) {
  const auto make = [model, task, train, threads = threads_] {
    return prepareNew(model, task, train, threads);
  };
  const auto go_on = [this, done = std::move(done)](const std::shared_ptr<Prepared>& prepared,
                                                    const std::optional<Error>& problem) {
    if (problem) return done(problem);
    if (!isOpen()) {
      installAlone(std::move(*prepared), {.modified = true});
      return done({});
    }
    const auto begin = [this] {
      leaveLoop();
      return true;
    };
    const auto succeed = [this, prepared](const Before& before) {
      const std::shared_ptr<Run> left = here();
      install(std::move(*prepared), {.modified = true});
      undo_.push(tr("New run"), {before, left});
      tellLeft(*left, *before);
    };
    operate({begin, succeed, done});
  };
  prepareInBackground(make, go_on);
}

void ModelDocument::setModified(bool modified) {
  if (modified == modified_) return;
  modified_ = modified;
  emit titleChanged();
}

void ModelDocument::play() { loop_->play(); }
void ModelDocument::pause() { loop_->pause(); }
void ModelDocument::stepOnce() { loop_->stepOnce(); }

void ModelDocument::setLossPositions(data::LossPositions positions) {
  const bool running = running_;
  train::Document document = current();
  drain();
  document.task.loss_positions = positions;
  const std::array pins{time_.pinned(Pin::A), time_.pinned(Pin::B)};
  Prepared prepared = prepare(std::move(document), threads_, {}, moments());
  // What can be undone is kept: its models learn the new loss as well as this one.
  install(std::move(prepared), {.question = question_, .file = file_, .modified = true});
  giveUpOperations();
  for (const Pin slot : {Pin::A, Pin::B})
    if (const auto& moment = pins[std::size_t(slot)]) pinMoment(slot, *moment);
  if (running) play();
}

void ModelDocument::restoreLastGood() { loop_->restoreLastGood(); }

void ModelDocument::note(train::EventKind kind, const QString& text) {
  loop_->note(kind, text.toStdString());
}

void ModelDocument::setSpeed(double steps_a_second) {
  speed_ = steps_a_second;
  if (loop_) loop_->setSpeed(steps_a_second);
}

void ModelDocument::setTraining(const train::TrainConfig& config) {
  train::validate(config);
  if (config.batch_size != training_.batch_size || config.nesting != training_.nesting)
    train::Trainer::requireMemory(model_, *task_, config.batch_size, threads_, config.nesting);
  loop_->setConfig(config);
  training_ = config;
  setModified(true);
  emit trainingChanged();
}

void ModelDocument::drain() {
  train::LoopNews news = loop_->drain();
  if (news.replaced) takeReplacement(*news.replaced);
  takeChanges(news.changes);
  const auto first = int(history_.steps.size());
  const auto first_evaluation = int(history_.evaluations.size());
  history_.steps.insert(history_.steps.end(), news.steps.begin(), news.steps.end());
  history_.evaluations.insert(history_.evaluations.end(), news.evaluations.begin(),
                              news.evaluations.end());
  step_ = news.step;
  if (const double passed = now() - rate_since_; passed >= 0.5) {
    rate_ = news.running ? double(std::max<std::int64_t>(0, step_ - rate_step_)) / passed : 0.0;
    rate_since_ = now();
    rate_step_ = step_;
  }
  if (!news.steps.empty() || !news.evaluations.empty()) {
    setModified(true);
    emit measured(first, first_evaluation);
  }
  if (news.running != running_) {
    running_ = news.running;
    if (!running_) rate_ = 0.0;
    emit runningChanged(running_);
  }
  if (news.moments) takeMoments(std::move(*news.moments));
  if (news.snapshot && time_.showsNow()) {
    snapshot_ = std::move(news.snapshot);
    emit snapshotChanged();
  }
  for (const train::HistoryEvent& event : news.history_events) addEvent(history_, event);
  if (!news.history_events.empty()) {
    setModified(true);
    emit flagged();
  }
  for (const train::LoopEvent& event : news.events) tell(event);
}

void ModelDocument::tell(const train::LoopEvent& event) {
  const QString text = QString::fromStdString(event.text);
  switch (event.kind) {
    case train::LoopEvent::Kind::StopRule:
      emit stopped(text);
      break;
    case train::LoopEvent::Kind::Diverged:
      emit diverged(text, event.good_step.has_value());
      break;
    case train::LoopEvent::Kind::Failed:
      emit failed(text);
      break;
  }
}

}  // namespace tfm::ui
