// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/answers.h"

#include <QElapsedTimer>
#include <utility>

#include "core/ask/what_if.h"
#include "core/backend/registry.h"
#include "core/train/fit_task.h"

namespace tfm::ui {
namespace {

constexpr qint64 kFrameMilliseconds = 30;

}  // namespace

void Answers::start(Work work) {
  forget();
  const auto answer = [this, work = std::move(work), codec = run_.codec,
                       interventions = interventions_.inForce()](
                          const ModelState& state, const Backend<float>& backend,
                          LatestJob::Run& run) -> LatestJob::News {
    try {
      if (interventions.empty()) return work(state, *codec, backend, run);
      return work(train::withInterventions(state, *codec, interventions, backend), *codec, backend,
                  run);
    } catch (const Error& problem) {
      return [this, problem] { emit failed(problem); };
    }
  };
  if (const train::Moment* shown = moments_.shown())
    return job_.startOn({}, [answer, state = shown->state](LatestJob::Run& run) {
      return answer(*state, *makeBackend<float>(), run);
    });
  // The present is asked on the thread that trains it.
  const auto trainer = std::make_shared<const train::Trainer*>(nullptr);
  const auto onLoop = [this, trainer](const std::function<void()>& job) {
    run_.loop->post([trainer, job](const train::Trainer& present) {
      *trainer = &present;
      job();
    });
  };
  job_.startOn(onLoop, [answer, trainer](LatestJob::Run& run) {
    return answer((*trainer)->state(), (*trainer)->backend(), run);
  });
}

void Answers::ask(const QString& question, const SamplingOptions& options,
                  const data::Ids& written) {
  start([this, options, written, asked = question.toStdString()](
            const ModelState& state, const data::TextCodec& codec, const Backend<float>& backend,
            LatestJob::Run& run) -> LatestJob::News {
    QElapsedTimer since_sent;
    const auto progress = [&](const std::vector<train::AnsweredQuestion>& answers) {
      // A copy of the text for each token would make a long one slow.
      if (!since_sent.isValid() || since_sent.elapsed() >= kFrameMilliseconds) {
        run.tell([this, answer = answers.front()] { emit answering(answer, false); });
        since_sent.start();
      }
      return !run.stopped;
    };
    const data::Framing framing = train::framingFor(state.config, codec);
    const auto answers = train::answer(state, codec, framing, std::span(&asked, 1), options,
                                       backend, progress, written);
    return [this, answer = answers.front()] { emit answering(answer, true); };
  });
}

void Answers::search(const QString& question, BeamOptions options) {
  start([this, options, asked = question.toStdString()](
            const ModelState& state, const data::TextCodec& codec, const Backend<float>& backend,
            LatestJob::Run& run) -> LatestJob::News {
    const auto best = [&](const BeamOptions& own) {
      return train::answerWithBeams(state, codec, train::framingFor(state.config, codec),
                                    std::span(&asked, 1), own, backend,
                                    [&](const auto&) { return !run.stopped; })
          .front();
    };
    BeamOptions own = options, greedy = options;
    own.max_tokens = greedy.max_tokens = codec.maxTargetLength();
    greedy.beams = 1;
    const FoundBeams beams{best(own), best(greedy).front(), own, state.step};
    if (run.stopped) return {};
    return [this, beams] { emit found(beams); };
  });
}

}  // namespace tfm::ui
