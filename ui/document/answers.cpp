// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/answers.h"

#include <QElapsedTimer>
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
  past_answers_.waitForDone();
}

void Answers::stop() {
  if (stopped_) *stopped_ = true;
}

void Answers::forget() {
  stop();
  stopped_.reset();
}

void Answers::start(Work work) {
  stop();
  const auto stopped = std::make_shared<std::atomic<bool>>(false);
  stopped_ = stopped;
  const Deliver deliver = [this, stopped](std::function<void()> news) {
    const auto pass = [this, stopped, news = std::move(news)] {
      if (stopped_ == stopped) news();
    };
    QMetaObject::invokeMethod(this, pass, Qt::QueuedConnection);
  };
  const auto answer =
      [this, stopped, deliver, work = std::move(work), interventions = interventions_.inForce()](
          const ModelState& state, const data::TextCodec& codec, const Backend<float>& backend) {
        try {
          if (interventions.empty())
            work(state, codec, backend, *stopped, deliver);
          else
            work(train::withInterventions(state, codec, interventions, backend), codec, backend,
                 *stopped, deliver);
        } catch (const Error& problem) {
          deliver([this, problem] { emit failed(problem); });
        }
      };
  if (const train::Moment* shown = moments_.shown()) {
    past_answers_.start([answer, state = shown->state, codec = run_.codec] {
      answer(*state, *codec, *makeBackend<float>());
    });
    return;
  }
  run_.loop->post([answer, codec = run_.codec](const train::Trainer& trainer) {
    answer(trainer.state(), *codec, trainer.backend());
  });
}

void Answers::ask(const QString& question, const SamplingOptions& options,
                  const data::Ids& written) {
  start([this, options, written, asked = question.toStdString()](
            const ModelState& state, const data::TextCodec& codec, const Backend<float>& backend,
            const std::atomic<bool>& stopped, const Deliver& deliver) {
    QElapsedTimer since_sent;
    const auto progress = [&](const std::vector<train::AnsweredQuestion>& answers) {
      // A copy of the text for each token would make a long one slow.
      if (!since_sent.isValid() || since_sent.elapsed() >= kFrameMilliseconds) {
        deliver([this, answer = answers.front()] { emit answering(answer, false); });
        since_sent.start();
      }
      return !stopped;
    };
    const data::Framing framing = train::framingFor(state.config, codec);
    const auto answers = train::answer(state, codec, framing, std::span(&asked, 1), options,
                                       backend, progress, written);
    deliver([this, answer = answers.front()] { emit answering(answer, true); });
  });
}

void Answers::search(const QString& question, BeamOptions options) {
  start([this, options, asked = question.toStdString()](
            const ModelState& state, const data::TextCodec& codec, const Backend<float>& backend,
            const std::atomic<bool>& stopped, const Deliver& deliver) {
    const auto best = [&](const BeamOptions& own) {
      return train::answerWithBeams(state, codec, train::framingFor(state.config, codec),
                                    std::span(&asked, 1), own, backend,
                                    [&](const auto&) { return !stopped; })
          .front();
    };
    BeamOptions own = options, greedy = options;
    own.max_tokens = greedy.max_tokens = codec.maxTargetLength();
    greedy.beams = 1;
    const FoundBeams beams{best(own), best(greedy).front(), own, state.step};
    if (!stopped) deliver([this, beams] { emit found(beams); });
  });
}

}  // namespace tfm::ui
