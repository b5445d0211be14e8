// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/train/study.h"
#include "ui/document/background_study.h"

namespace tfm::ui {

/// Does growing pay? See train::runStudy().
class GrowthStudy : public StudyOf<train::StudyConfig, train::StudyResult> {
 public:
  explicit GrowthStudy(QObject* parent = nullptr) : StudyOf(&train::runStudy, parent) {}
};

}  // namespace tfm::ui
