// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/train/nesting_study.h"
#include "core/train/study.h"
#include "core/train/wiring_study.h"
#include "ui/document/background_study.h"
#include "ui/document/model_document.h"

namespace tfm::ui {

/// Does growing pay? See train::runStudy().
class GrowthStudy : public StudyOf<train::StudyConfig, train::StudyResult> {
 public:
  explicit GrowthStudy(QObject* parent = nullptr) : StudyOf(&train::runStudy, parent) {}
};

/// Does nesting cost anything? See train::runNestingStudy().
class NestingStudy : public StudyOf<train::NestingStudyConfig, train::NestingStudyResult> {
 public:
  explicit NestingStudy(QObject* parent = nullptr) : StudyOf(&train::runNestingStudy, parent) {}
};

/// Does the wiring matter? See train::runWiringStudy().
class WiringStudy : public StudyOf<train::WiringStudyConfig, train::WiringStudyResult> {
 public:
  explicit WiringStudy(QObject* parent = nullptr) : StudyOf(&train::runWiringStudy, parent) {}
};

/// A study of the open model, its task, which it must have, and its training.
template <class Config>
Config studyOf(const ModelDocument& document) {
  Config config;
  config.model = document.training().model();
  config.task = document.task()->config();
  config.train = document.training().config();
  config.threads = document.threads();
  return config;
}

/// Sets the number of steps and seeds; the first seed is that of the training.
template <class Config>
void setRuns(Config& config, std::int64_t steps, int seeds) {
  config.steps = steps;
  config.seeds.clear();
  for (int i = 0; i < seeds; ++i) config.seeds.push_back(config.train.seed + std::uint64_t(i));
}

}  // namespace tfm::ui
