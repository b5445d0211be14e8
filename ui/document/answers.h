// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFuture>
#include <atomic>
#include <memory>

#include "core/base/error.h"
#include "ui/document/moments.h"

namespace tfm::ui {

/// What the model that is shown answers when it is asked.
class Answers : public QObject {
  Q_OBJECT

 public:
  Answers(OpenRun& run, Moments& moments) : run_(run), moments_(moments) {}
  ~Answers() override;

  /// Lets the model answer, between training steps; answering() follows while it writes. An answer
  /// that is still being written is given up. `written`: what a decoder has written of the answer
  /// already; only what follows is told.
  void ask(const QString& question, const SamplingOptions& options, const data::Ids& written = {});
  /// Ends the answer that is being written with what there is of it.
  void stop();
  /// The same, and tells nothing of it any more.
  void forget();

 signals:
  /// What ask() has led to so far, until it is finished.
  void answering(const tfm::train::AnsweredQuestion& answer, bool finished);
  void failed(const tfm::Error& problem);

 private:
  OpenRun& run_;
  Moments& moments_;
  std::shared_ptr<std::atomic<bool>> stopped_;  ///< of the newest ask()
  QFuture<void> past_answer_;                   ///< of a moment that is shown
};

}  // namespace tfm::ui
