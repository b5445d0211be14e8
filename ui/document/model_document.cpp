// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/model_document.h"

#include <QDateTime>
#include <QFileInfo>
#include <QFutureWatcher>
#include <QRandomGenerator>
#include <QtConcurrent>
#include <algorithm>
#include <exception>
#include <utility>

#include "core/data/task_table.h"
#include "core/io/npz.h"
#include "core/train/diverged.h"
#include "core/train/fit_task.h"
#include "core/train/history.h"

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

/// All of opening a document that may take long or throw.
struct ModelDocument::Prepared {
  std::shared_ptr<const data::Task> task;
  data::Framing framing;
  std::unique_ptr<train::TrainingLoop> loop;
  train::Document document;
};

ModelDocument::ModelDocument(int threads, QObject* parent)
    : QObject(parent), threads_(threads), undo_(kUndoBytes) {
  connect(&feed_, &QTimer::timeout, this, &ModelDocument::drain);
  connect(&time_, &TimeMachine::looked, this, &ModelDocument::takeLook);
  feed_.setInterval(kFeedMilliseconds);
}

ModelDocument::~ModelDocument() {
  stopAnswer();
  past_answer_.waitForFinished();
}

ModelDocument::Prepared ModelDocument::prepare(train::Document document, int threads) {
  Prepared prepared;
  prepared.task = data::makeTask(document.task);
  prepared.framing = train::framingFor(document.state.config, *prepared.task);
  prepared.loop = std::make_unique<train::TrainingLoop>(document, threads);
  prepared.document = std::move(document);
  return prepared;
}

void ModelDocument::adopt(train::Document document, const QString& path) {
  install(prepare(std::move(document), threads_), path);
}

void ModelDocument::install(Prepared prepared, const QString& path) {
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
  path_ = path;
  running_ = false;
  modified_ = false;
  rate_ = 0.0;
  snapshot_.reset();
  time_.open(task_);
  samples_ = sampleQuestions(*task_);
  question_ = samples_.empty() ? QString() : QString::fromStdString(samples_.front().source);
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
  undo_.clear();
  emit undoChanged();
  giveUpOperations();
}

void ModelDocument::start(ModelConfig model, const data::TaskConfig& task,
                          const train::TrainConfig& train) {
  train::fitToTask(model, *data::makeTask(task));
  adopt(train::newDocument(model, task, train));
  setModified(true);
}

void ModelDocument::startInBackground(ModelConfig model, const data::TaskConfig& task,
                                      const train::TrainConfig& train,
                                      std::function<void(const std::optional<Error>&)> done) {
  struct Outcome {
    Prepared prepared;
    std::optional<Error> problem;
  };
  using Result = std::shared_ptr<Outcome>;
  auto work = [model, task, train, threads = threads_]() mutable {
    auto outcome = std::make_shared<Outcome>();
    try {
      train::fitToTask(model, *data::makeTask(task));
      outcome->prepared = prepare(train::newDocument(model, task, train), threads);
    } catch (const Error& problem) {
      outcome->problem = problem;
    } catch (const std::exception& problem) {
      outcome->problem = Error(problem.what());
    }
    return outcome;
  };
  auto* watcher = new QFutureWatcher<Result>(this);
  connect(watcher, &QFutureWatcher<Result>::finished, this, [this, watcher, done] {
    watcher->deleteLater();
    const Result outcome = watcher->result();
    if (!outcome->problem) {
      install(std::move(outcome->prepared), {});
      setModified(true);
    }
    done(outcome->problem);
  });
  watcher->setFuture(QtConcurrent::run(std::move(work)));
}

void ModelDocument::open(const QString& path) {
  train::Document document = train::openDocument(path.toStdString());
  const std::string note = train::brokenNote(document.state);
  adopt(std::move(document), path);
  if (!note.empty()) emit foundBroken(QString::fromStdString(note));
}

train::Document ModelDocument::current() { return loop_->document().get(); }

void ModelDocument::save(const QString& path) {
  const train::Document document = current();
  train::saveDocument(path.toStdString(), document);
  path_ = path;
  saved_step_ = document.state.step;
  modified_ = step_ != saved_step_;
  emit titleChanged();
}

void ModelDocument::exportNpz(const QString& path) {
  const train::Document document = current();
  io::NamedTensors tensors;
  for (const ParameterInfo& p : document.state.layout.parameters)
    tensors[p.name] =
        io::makeTensor(sizes(p.shape), std::span<const float>(document.state.parameters)
                                           .subspan(std::size_t(p.offset), std::size_t(p.size())));
  io::writeNpz(path.toStdString(), tensors);
}

QString ModelDocument::name() const {
  if (!path_.isEmpty()) return QFileInfo(path_).fileName();
  return task_ ? tr("%1 (not saved)").arg(QString::fromStdString(task_->name())) : QString();
}

void ModelDocument::setModified(bool modified) {
  if (modified == modified_) return;
  modified_ = modified;
  emit titleChanged();
}

void ModelDocument::play() { loop_->play(); }
void ModelDocument::pause() { loop_->pause(); }
void ModelDocument::stepOnce() { loop_->stepOnce(); }

void ModelDocument::reset() { loop_->reset(training_.seed); }

void ModelDocument::newSeed() {
  training_.seed = QRandomGenerator::global()->bounded(1'000'000U);
  loop_->reset(training_.seed);
  emit trainingChanged();
}

void ModelDocument::setLossPositions(data::LossPositions positions) {
  const bool running = running_;
  const QString question = question_;
  train::Document document = current();
  document.task.loss_positions = positions;
  UndoHistory undo = undo_;  // its models learn the new loss as well as this one
  adopt(std::move(document), path_);
  undo_ = std::move(undo);
  emit undoChanged();
  setModified(true);
  setQuestion(question);
  if (running) play();
}

void ModelDocument::restoreLastGood() { loop_->restoreLastGood(); }

void ModelDocument::note(train::EventKind kind, const QString& text) {
  loop_->note(kind, text.toStdString());
}

void ModelDocument::rewindTo(std::int64_t step) {
  travel([&] {
    forgetAfter(history_, step);
    step_ = rate_step_ = step;
    time_.leaveCourse(step, std::int64_t(history_.events.size()));
  });
  setModified(true);
  emit rewound();
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
  if (news.rewound_to) rewindTo(*news.rewound_to);
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
