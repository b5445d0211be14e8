// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/open_run.h"

#include <utility>

#include "core/data/task_table.h"
#include "core/train/fit_task.h"
#include "ui/document/latest_job.h"

namespace tfm::ui {

PreparedRun prepareRun(train::Document document, int threads,
                       std::shared_ptr<const data::Task> task) {
  OpenRun run;
  run.task = task || !document.task ? std::move(task) : train::makeTask(document);
  run.codec = run.task ? run.task : document.codec;
  run.missing = document.missing;
  run.framing = train::framingFor(document.state.config, *run.codec);
  ModelState state = std::exchange(document.state, {});
  train::Document whole = document;
  document.state.config = state.config;
  document.state.layout = state.layout;
  document.state.step = state.step;
  document.state.seed = state.seed;
  whole.state = std::move(state);
  run.loop = std::make_unique<train::TrainingLoop>(std::move(whole), threads, run.task);
  return {std::move(run), std::move(document)};
}

PreparedRun prepareNewRun(ModelConfig model, const data::TaskConfig& task,
                          const train::TrainConfig& train, int threads) {
  train::fitToTask(model, *data::makeTask(task));
  return prepareRun(train::newDocument(model, task, train), threads);
}

PreparedRun prepareTaskFor(train::Document document, const data::TaskConfig& task,
                           const train::TrainConfig& train, int threads) {
  train::giveTask(document, task);
  document.train = train;
  return prepareRun(std::move(document), threads);
}

void prepareInBackground(QObject* owner, std::function<PreparedRun()> make,
                         std::function<void(Preparation)> then) {
  const auto work = [make = std::move(make)] {
    Preparation result;
    result.problem = problemOf([&] { result.prepared = std::make_shared<PreparedRun>(make()); });
    return result;
  };
  inBackground<Preparation>(owner, work, std::move(then));
}

}  // namespace tfm::ui
