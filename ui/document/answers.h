// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <vector>

#include "core/base/error.h"
#include "ui/document/interventions.h"
#include "ui/document/latest_job.h"
#include "ui/document/moments.h"

namespace tfm::ui {

/// The best answers to a question by beam search, and what greedy decoding answers.
struct FoundBeams {
  std::vector<train::BeamAnswer> beams;  ///< the best first
  train::BeamAnswer greedy;
  BeamOptions options;
  std::int64_t step = 0;  ///< of the weights that answered
};

/// Asks the shown model a question, with the interventions in force.
class Answers : public QObject {
  Q_OBJECT

 public:
  Answers(OpenRun& run, Moments& moments, const Interventions& interventions)
      : run_(run), moments_(moments), interventions_(interventions) {}

  /// Asks the model between training steps; answering() is emitted while it writes. Cancels an
  /// answer that is still being written. `written`: the part of the answer that a decoder has
  /// already written; only what follows is reported.
  void ask(const QString& question, const SamplingOptions& options, const data::Ids& written = {});
  /// Searches the best answers between training steps; found() follows. Cancels what ask() or an
  /// earlier search is about. options.max_tokens is that of the task.
  void search(const QString& question, BeamOptions options);
  /// Ends the answer that is being written and keeps what has been written so far.
  void stop() { job_.stop(); }
  /// Cancels the answer that is being written; nothing more is emitted for it.
  void forget() { job_.forget(); }

 signals:
  /// The answer so far; `finished` with the last part.
  void answering(const tfm::train::AnsweredQuestion& answer, bool finished);
  void found(const tfm::ui::FoundBeams& beams);
  void failed(const tfm::Error& problem);

 private:
  using Work = std::function<LatestJob::News(const ModelState&, const data::TextCodec&,
                                             const Backend<float>&, LatestJob::Run&)>;
  /// Cancels what was asked before and runs `work` on another thread.
  void start(Work work);

  OpenRun& run_;
  Moments& moments_;
  const Interventions& interventions_;
  LatestJob job_{this};
};

}  // namespace tfm::ui
