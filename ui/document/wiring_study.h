// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/train/wiring_study.h"
#include "ui/document/background_study.h"

namespace tfm::ui {

/// Does the wiring matter? See train::runWiringStudy().
class WiringStudy : public StudyOf<train::WiringStudyConfig, train::WiringStudyResult> {
 public:
  explicit WiringStudy(QObject* parent = nullptr) : StudyOf(&train::runWiringStudy, parent) {}
};

}  // namespace tfm::ui
