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
#include "core/train/fit_task.h"

namespace tfm::ui {
namespace {

constexpr int kFeedMilliseconds = 16;
constexpr double kSnapshotsASecond = 15.0;
constexpr std::size_t kSamples = 6;
constexpr std::size_t kTextSamples = 2;  // long answers are slow

double now() { return double(QDateTime::currentMSecsSinceEpoch()) / 1000.0; }

/// Held-out questions whose answers are watched.
std::vector<data::Sample> sampleQuestions(const data::Task& task) {
  const std::size_t most = task.form() == data::TaskForm::Text ? kTextSamples : kSamples;
  std::vector<data::Sample> samples;
  for (std::uint64_t i = 0; samples.size() < most && i < 4 * most; ++i) {
    const data::Example example = task.example(data::Split::Evaluation, 0, i);
    data::Sample sample{task.sourceVocabulary().decode(example.source),
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

ModelDocument::ModelDocument(int threads, QObject* parent) : QObject(parent), threads_(threads) {
  connect(&feed_, &QTimer::timeout, this, &ModelDocument::drain);
  feed_.setInterval(kFeedMilliseconds);
}

ModelDocument::~ModelDocument() { stopAnswer(); }

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
  samples_ = sampleQuestions(*task_);
  question_ = samples_.empty() ? QString() : QString::fromStdString(samples_.front().source);
  loop_->setSpeed(speed_);
  emit replaced();
  emit questionChanged(question_);
  emit runningChanged(false);
  emit titleChanged();
  sendWatch();
  feed_.start();
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
  adopt(train::openDocument(path.toStdString()), path);
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
  adopt(std::move(document), path_);
  setModified(true);
  setQuestion(question);
  if (running) play();
}

void ModelDocument::restoreLastGood() { loop_->restoreLastGood(); }

void ModelDocument::rewindTo(std::int64_t step) {
  const auto later = [step](const auto& point) { return point.step > step; };
  std::erase_if(history_.steps, later);
  std::erase_if(history_.evaluations, later);
  step_ = rate_step_ = step;
  setModified(true);
  emit rewound();
}

void ModelDocument::setSpeed(double steps_a_second) {
  speed_ = steps_a_second;
  if (loop_) loop_->setSpeed(steps_a_second);
}

void ModelDocument::setTraining(const train::TrainConfig& config) {
  train::validate(config);
  if (config.batch_size != training_.batch_size)
    train::Trainer::requireMemory(model_, *task_, config.batch_size, threads_);
  loop_->setConfig(config);
  training_ = config;
  setModified(true);
  emit trainingChanged();
}

void ModelDocument::setQuestion(const QString& question) {
  if (question == question_) return;
  question_ = question;
  emit questionChanged(question_);
  sendWatch();
}

std::optional<Error> ModelDocument::questionProblem() const {
  try {
    task_->encodeInput(question_.toStdString());
    return std::nullopt;
  } catch (const Error& problem) {
    return problem;
  }
}

void ModelDocument::ask(const QString& question, const SamplingOptions& options) {
  stopAnswer();
  const auto stopped = std::make_shared<std::atomic<bool>>(false);
  answer_stopped_ = stopped;
  // Runs on the loop's thread, which ends before this object does. What it says about a question
  // that is no longer the newest is not passed on.
  const auto tell = [this, stopped](std::function<void()> news) {
    const auto pass = [this, stopped, news = std::move(news)] {
      if (answer_stopped_ == stopped) news();
    };
    QMetaObject::invokeMethod(this, pass, Qt::QueuedConnection);
  };
  loop_->post([this, stopped, tell, options,
               asked = question.toStdString()](const train::Trainer& trainer) {
    const auto progress = [&](const std::vector<train::AnsweredQuestion>& answers) {
      tell([this, answer = answers.front()] { emit answering(answer, false); });
      return !*stopped;
    };
    try {
      const auto answers =
          train::answer(trainer.state(), trainer.task(), trainer.framing(), std::span(&asked, 1),
                        options, trainer.backend(), progress);
      tell([this, answer = answers.front()] { emit answering(answer, true); });
    } catch (const Error& problem) {
      tell([this, problem] { emit askFailed(problem); });
    }
  });
}

void ModelDocument::stopAnswer() {
  if (answer_stopped_) *answer_stopped_ = true;
}

void ModelDocument::setWants(const QObject* view, const Wants& wants) {
  if (wants == Wants{}) {
    if (wants_.erase(view) == 0) return;
  } else {
    const auto known = wants_.find(view);
    if (known != wants_.end() && known->second == wants) return;
    wants_[view] = wants;
  }
  sendWatch();
}

void ModelDocument::sendWatch() {
  if (!loop_) return;
  train::Watch watch;
  bool samples = false, answer = false;
  for (const auto& [view, wants] : wants_) {
    watch.parameters = watch.parameters || wants.parameters;
    watch.norms = watch.norms || wants.norms;
    samples = samples || wants.samples;
    answer = answer || wants.answer;
    if (wants.pattern.empty()) continue;
    watch.pattern += (watch.pattern.empty() ? "" : ",") + wants.pattern;
    watch.question = question_.toStdString();
  }
  if (samples)
    for (const data::Sample& sample : samples_) watch.samples.push_back(sample.source);
  if (answer && !questionProblem()) watch.samples.push_back(question_.toStdString());
  loop_->watch(std::move(watch), kSnapshotsASecond);
}

void ModelDocument::drain() {
  train::LoopNews news = loop_->drain();
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
  if (news.snapshot) {
    snapshot_ = std::move(news.snapshot);
    emit snapshotChanged();
  }
  for (const train::LoopEvent& event : news.events) {
    const QString text = QString::fromStdString(event.text);
    switch (event.kind) {
      case train::LoopEvent::Kind::StopRule:
        emit stopped(text);
        break;
      case train::LoopEvent::Kind::Diverged:
        emit diverged(text);
        break;
      case train::LoopEvent::Kind::Failed:
        emit failed(text);
        break;
    }
  }
}

}  // namespace tfm::ui
