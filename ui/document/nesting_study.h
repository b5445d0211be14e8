// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/train/nesting_study.h"
#include "ui/document/background_study.h"

namespace tfm::ui {

/// Does nesting cost anything? See train::runNestingStudy().
class NestingStudy : public StudyOf<train::NestingStudyConfig, train::NestingStudyResult> {
 public:
  explicit NestingStudy(QObject* parent = nullptr) : StudyOf(&train::runNestingStudy, parent) {}
};

}  // namespace tfm::ui
