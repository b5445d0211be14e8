// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTest>

#include "core/data/task_table.h"
#include "core/model/presets.h"
#include "ui/document/model_document.h"

namespace tfm::ui {

/// A new run of the rot13 preset.
inline void startRot13(ModelDocument& document) {
  train::TrainConfig train;
  train.evaluate_every = 10;
  train.evaluation_size = 20;
  document.start(presetNamed("rot13").config(), data::defaultTaskConfig("rot13"), train);
}

/// Trains until `step` and waits for it.
inline bool trainTo(ModelDocument& document, std::int64_t step) {
  train::TrainConfig train = document.training().config();
  train.stop.steps = step;
  document.training().setConfig(train);
  document.training().play();
  return QTest::qWaitFor(
      [&] { return document.training().step() == step && !document.training().isRunning(); },
      300000);
}

}  // namespace tfm::ui
