// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/data/framing.h"
#include "core/data/task.h"
#include "core/live/training_loop.h"

namespace tfm::ui {

/// The open run, shared by all rooms of a document.
struct OpenRun {
  std::shared_ptr<const data::TextCodec> codec;  ///< the task, if there is one
  std::shared_ptr<const data::Task> task;        ///< null: the model has none
  std::optional<data::MissingTexts> missing;     ///< why the task could not be made
  data::Framing framing{};
  std::unique_ptr<train::TrainingLoop> loop;  ///< null before the first document
  /// Expires when another run replaces this one.
  std::shared_ptr<const void> life = std::make_shared<char>();

  /// A function that any thread may call; it runs `call` on the thread of `room` unless another run
  /// is open by then. The loop's thread must end before the rooms do.
  template <class News>
  std::function<void(const News&)> passed(QObject* room,
                                          std::function<void(const News&)> call) const {
    return [room, life = std::weak_ptr(life), call = std::move(call)](const News& news) {
      const auto pass = [life, call, news] {
        if (!life.expired()) call(news);
      };
      QMetaObject::invokeMethod(room, pass, Qt::QueuedConnection);
    };
  }
};

/// The part of opening a document that may take long or throw.
struct PreparedRun {
  OpenRun run;
  train::Document document;  ///< its state without numbers, which the loop has
};

/// `task`: the task of the document, if it has already been made. Throws Error.
PreparedRun prepareRun(train::Document document, int threads,
                       std::shared_ptr<const data::Task> task = {});
/// With a new untrained model whose config gets the task's sizes. Throws Error.
PreparedRun prepareNewRun(ModelConfig model, const data::TaskConfig& task,
                          const train::TrainConfig& train, int threads);

/// Gives a task to a model without one. Throws Error.
PreparedRun prepareTaskFor(train::Document document, const data::TaskConfig& task,
                           const train::TrainConfig& train, int threads);

/// The outcome of preparing on another thread: a run, or why there is none.
struct Preparation {
  std::shared_ptr<PreparedRun> prepared;
  std::optional<Error> problem;
};
/// `then` is called on the thread of `owner` unless `owner` has been destroyed.
void prepareInBackground(QObject* owner, std::function<PreparedRun()> make,
                         std::function<void(Preparation)> then);

}  // namespace tfm::ui
