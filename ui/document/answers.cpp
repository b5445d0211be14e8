// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/answers.h"

#include <QElapsedTimer>
#include <QtConcurrent/QtConcurrentRun>
#include <optional>
#include <utility>

#include "core/backend/registry.h"
#include "core/train/fit_task.h"
#include "core/train/what_if.h"

namespace tfm::ui {
namespace {

constexpr qint64 kFrameMilliseconds = 30;

}  // namespace

Answers::~Answers() {
  stop();
  past_answer_.waitForFinished();
}

void Answers::stop() {
  if (stopped_) *stopped_ = true;
}

void Answers::forget() {
  stop();
  stopped_.reset();
}

void Answers::ask(const QString& question, const SamplingOptions& options,
                  const data::Ids& written) {
  stop();
  const auto stopped = std::make_shared<std::atomic<bool>>(false);
  stopped_ = stopped;
  // Runs on another thread, which ends before this object does. Only the newest question's answer
  // is passed on.
  const auto deliver = [this, stopped](std::function<void()> news) {
    const auto pass = [this, stopped, news = std::move(news)] {
      if (stopped_ == stopped) news();
    };
    QMetaObject::invokeMethod(this, pass, Qt::QueuedConnection);
  };
  const auto write = [this, stopped, deliver, options, written, asked = question.toStdString(),
                      interventions = interventions_.inForce()](const ModelState& state,
                                                                const data::TextCodec& codec,
                                                                const Backend<float>& backend) {
    QElapsedTimer since_sent;
    const auto progress = [&](const std::vector<train::AnsweredQuestion>& answers) {
      // A copy of the text for each token would make a long one slow.
      if (!since_sent.isValid() || since_sent.elapsed() >= kFrameMilliseconds) {
        deliver([this, answer = answers.front()] { emit answering(answer, false); });
        since_sent.start();
      }
      return !*stopped;
    };
    try {
      const data::Framing framing = train::framingFor(state.config, codec);
      std::optional<ModelState> changed;
      if (!interventions.empty())
        changed = train::withInterventions(state, codec, interventions, backend);
      const auto answers = train::answer(changed ? *changed : state, codec, framing,
                                         std::span(&asked, 1), options, backend, progress, written);
      deliver([this, answer = answers.front()] { emit answering(answer, true); });
    } catch (const Error& problem) {
      deliver([this, problem] { emit failed(problem); });
    }
  };
  if (const train::Moment* shown = moments_.shown()) {
    past_answer_.waitForFinished();  // stop() was called
    past_answer_ = QtConcurrent::run([write, state = shown->state, codec = run_.codec] {
      write(*state, *codec, *makeBackend<float>());
    });
    return;
  }
  run_.loop->post([write, codec = run_.codec](const train::Trainer& trainer) {
    write(trainer.state(), *codec, trainer.backend());
  });
}

}  // namespace tfm::ui
