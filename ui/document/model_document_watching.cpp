// SPDX-License-Identifier: GPL-3.0-or-later
// What of a document is looked at: its question, the wants of its views, its answers.
#include <QElapsedTimer>
#include <QtConcurrent>
#include <utility>

#include "core/backend/registry.h"
#include "core/train/fit_task.h"
#include "ui/document/model_document.h"

namespace tfm::ui {
namespace {

constexpr double kSnapshotsASecond = 15.0;
constexpr qint64 kFrameMilliseconds = 30;

}  // namespace

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

void ModelDocument::ask(const QString& question, const SamplingOptions& options,
                        const data::Ids& written) {
  stopAnswer();
  const auto stopped = std::make_shared<std::atomic<bool>>(false);
  answer_stopped_ = stopped;
  // Runs on another thread, which ends before this object does. What it says about a question
  // that is no longer the newest is not passed on.
  const auto tell = [this, stopped](std::function<void()> news) {
    const auto pass = [this, stopped, news = std::move(news)] {
      if (answer_stopped_ == stopped) news();
    };
    QMetaObject::invokeMethod(this, pass, Qt::QueuedConnection);
  };
  const auto write = [this, stopped, tell, options, written, asked = question.toStdString()](
                         const ModelState& state, const data::Task& task,
                         const Backend<float>& backend) {
    QElapsedTimer since_told;
    const auto progress = [&](const std::vector<train::AnsweredQuestion>& answers) {
      // A copy of the text for each token would make a long one slow.
      if (!since_told.isValid() || since_told.elapsed() >= kFrameMilliseconds) {
        tell([this, answer = answers.front()] { emit answering(answer, false); });
        since_told.start();
      }
      return !*stopped;
    };
    try {
      const data::Framing framing = train::framingFor(state.config, task);
      const auto answers = train::answer(state, task, framing, std::span(&asked, 1), options,
                                         backend, progress, written);
      tell([this, answer = answers.front()] { emit answering(answer, true); });
    } catch (const Error& problem) {
      tell([this, problem] { emit askFailed(problem); });
    }
  };
  if (const train::Moment* shown = time_.shown()) {
    past_answer_.waitForFinished();  // it was told to stop
    past_answer_ = QtConcurrent::run([write, state = shown->state, task = task_] {
      write(*state, *task, *makeBackend<float>());
    });
    return;
  }
  loop_->post([write](const train::Trainer& trainer) {
    write(trainer.state(), trainer.task(), trainer.backend());
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
  bool samples = false, answer = false, beside_pin = false;
  for (const auto& [view, wants] : wants_) {
    watch.parameters = watch.parameters || wants.parameters;
    watch.norms = watch.norms || wants.norms;
    samples = samples || wants.samples;
    watch.logits = watch.logits || wants.logits;
    answer = answer || wants.answer;
    beside_pin = beside_pin || wants.beside_pin;
    if (wants.pattern.empty()) continue;
    watch.pattern += (watch.pattern.empty() ? "" : ",") + wants.pattern;
    watch.question = question_.toStdString();
  }
  if (samples)
    for (const data::Sample& sample : samples_) watch.samples.push_back(sample.source);
  if (answer && !questionProblem()) watch.samples.push_back(question_.toStdString());
  beside_pin = beside_pin && time_.pinned(Pin::A);
  if (beside_pin) watch.read = train::ReadAnswer::Right;
  time_.setWatch(watch, beside_pin);
  loop_->watch(time_.showsNow() ? watch : train::Watch{}, kSnapshotsASecond);
}

}  // namespace tfm::ui
