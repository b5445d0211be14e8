// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/growth_study.h"
#include "core/study/nesting_study.h"
#include "ui/document/background_study.h"
#include "ui/document/model_document.h"

namespace tfm::ui {

using CurvesStudy = StudyOf<train::StudyPoint>;
using NestingStudy = StudyOf<train::NestingPoint>;

/// A study of the open model, its task, which it must have, and its training.
inline train::StudyConfig studyOf(const ModelDocument& document) {
  train::StudyConfig config;
  config.model = document.training().model();
  config.task = document.task()->config();
  config.train = document.training().config();
  config.threads = document.training().threads();
  return config;
}

/// Sets the number of steps and seeds; the first seed is that of the training.
inline void setRuns(train::StudyConfig& config, std::int64_t steps, int seeds) {
  config.steps = steps;
  config.seeds.clear();
  for (int i = 0; i < seeds; ++i) config.seeds.push_back(config.train.seed + std::uint64_t(i));
}

}  // namespace tfm::ui
