// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableWidget>

#include "core/train/wiring_study.h"

namespace tfm::ui {

class Style;

/// The results of all sizes of both wirings: one row each, mean ± standard deviation over the
/// seeds.
class WiringTable : public QTableWidget {
  Q_OBJECT

 public:
  explicit WiringTable(const Style& style, QWidget* parent = nullptr);

  void setResult(const train::WiringStudyResult& result);

 private:
  const Style& style_;
};

/// The result in a sentence or two; empty until both wirings have measurements.
QString outcomeText(const train::WiringStudyResult& result);

}  // namespace tfm::ui
