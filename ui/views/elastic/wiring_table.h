// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableWidget>

#include "core/train/wiring_study.h"

namespace tfm::ui {

class Style;

/// What the sizes of both wirings measured: one row each, mean ± deviation over the seeds.
class WiringTable : public QTableWidget {
  Q_OBJECT

 public:
  explicit WiringTable(const Style& style, QWidget* parent = nullptr);

  void setResult(const train::WiringStudyResult& result);

 private:
  const Style& style_;
};

/// What came out, in a sentence or two; empty before both wirings have measured something.
QString outcomeText(const train::WiringStudyResult& result);

}  // namespace tfm::ui
