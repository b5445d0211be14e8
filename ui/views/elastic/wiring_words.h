// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <QStringList>
#include <vector>

#include "core/study/wiring_study.h"
#include "ui/widgets/table.h"

namespace tfm::ui {

/// A table of what the sizes of both wirings measured: one row each, mean ± deviation over the
/// seeds.
std::vector<Table::Column> wiringColumns();
QList<QStringList> wiringRows(const train::WiringStudyResult& result);

/// The result in a sentence or two; empty until both wirings have measurements.
QString outcomeText(const train::WiringStudyResult& result);

}  // namespace tfm::ui
