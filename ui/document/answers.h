// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFuture>
#include <atomic>
#include <memory>

#include "core/base/error.h"
#include "ui/document/interventions.h"
#include "ui/document/moments.h"

namespace tfm::ui {

/// Asks the shown model a question, with the interventions in force.
class Answers : public QObject {
  Q_OBJECT

 public:
  Answers(OpenRun& run, Moments& moments, const Interventions& interventions)
      : run_(run), moments_(moments), interventions_(interventions) {}
  ~Answers() override;

  /// Asks the model between training steps; answering() is emitted while it writes. Cancels an
  /// answer that is still being written. `written`: the part of the answer that a decoder has
  /// already written; only what follows is reported.
  void ask(const QString& question, const SamplingOptions& options, const data::Ids& written = {});
  /// Ends the answer that is being written and keeps what has been written so far.
  void stop();
  /// Cancels the answer that is being written; nothing more is emitted for it.
  void forget();

 signals:
  /// The answer so far; `finished` with the last part.
  void answering(const tfm::train::AnsweredQuestion& answer, bool finished);
  void failed(const tfm::Error& problem);

 private:
  OpenRun& run_;
  Moments& moments_;
  const Interventions& interventions_;
  std::shared_ptr<std::atomic<bool>> stopped_;  ///< of the newest ask()
  QFuture<void> past_answer_;                   ///< answers for a past moment
};

}  // namespace tfm::ui
