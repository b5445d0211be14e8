// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/model_document.h"

#include <QDateTime>
#include <QFileInfo>
#include <QRandomGenerator>
#include <algorithm>
#include <utility>

#include "core/data/task_table.h"
#include "core/io/npz.h"
#include "core/train/fit_task.h"

namespace tfm::ui {
namespace {

constexpr int kFeedMilliseconds = 16;
constexpr double kSnapshotsASecond = 15.0;
constexpr std::size_t kSamples = 6;

double now() { return double(QDateTime::currentMSecsSinceEpoch()) / 1000.0; }

/// Held-out questions whose answers are watched.
std::vector<std::string> sampleQuestions(const data::Task& task) {
  std::vector<std::string> questions;
  for (std::uint64_t i = 0; questions.size() < kSamples && i < 4 * kSamples; ++i) {
    const data::Example example = task.example(data::Split::Evaluation, 0, i);
    const std::string text = task.sourceVocabulary().decode(example.source);
    if (!text.empty() && std::find(questions.begin(), questions.end(), text) == questions.end())
      questions.push_back(text);
  }
  return questions;
}

}  // namespace

ModelDocument::ModelDocument(int threads, QObject* parent) : QObject(parent), threads_(threads) {
  connect(&feed_, &QTimer::timeout, this, &ModelDocument::drain);
  feed_.setInterval(kFeedMilliseconds);
}

ModelDocument::~ModelDocument() = default;

void ModelDocument::adopt(train::Document document, const QString& path) {
  // Everything that may throw comes first, so that the open document survives.
  std::shared_ptr<const data::Task> task = data::makeTask(document.task);
  const data::Framing framing = train::framingFor(document.state.config, *task);
  auto loop = std::make_unique<train::TrainingLoop>(document, threads_);

  loop_ = std::move(loop);
  task_ = std::move(task);
  framing_ = framing;
  model_ = document.state.config;
  layout_ = document.state.layout;
  training_ = document.train;
  history_ = std::move(document.history);
  step_ = saved_step_ = document.state.step;
  path_ = path;
  running_ = false;
  modified_ = false;
  rate_ = 0.0;
  snapshot_.reset();
  samples_ = sampleQuestions(*task_);
  question_ = samples_.empty() ? QString() : QString::fromStdString(samples_.front());
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
  for (const auto& [view, wants] : wants_) {
    watch.parameters = watch.parameters || wants.parameters;
    watch.norms = watch.norms || wants.norms;
    if (wants.samples) watch.samples = samples_;
    if (wants.pattern.empty()) continue;
    watch.pattern += (watch.pattern.empty() ? "" : ",") + wants.pattern;
    watch.question = question_.toStdString();
  }
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
      case train::LoopEvent::Kind::StopRule: emit stopped(text); break;
      case train::LoopEvent::Kind::Diverged: emit diverged(text); break;
      case train::LoopEvent::Kind::Failed: emit failed(text); break;
    }
  }
}

}  // namespace tfm::ui
