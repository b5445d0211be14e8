// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableWidget>

#include "core/train/study.h"

namespace tfm::ui {

class Style;

/// The results of both arms of a study: one row each, mean ± standard deviation over the seeds.
class StudyTable : public QTableWidget {
  Q_OBJECT

 public:
  explicit StudyTable(const Style& style, QWidget* parent = nullptr);

  /// Null shows rows without numbers.
  void setResult(const train::StudyResult* result);
};

}  // namespace tfm::ui
