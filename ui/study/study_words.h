// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <QStringList>
#include <string>
#include <vector>

#include "core/train/compare_models.h"
#include "ui/study/study_table.h"

namespace tfm::ui {

/// "growing", "from scratch", or the arm's name.
QString armText(const std::string& arm);
/// "1.23 × 10⁹".
QString operationsText(double operations);
/// "0.512 ± 0.031"; without the deviation for a single run.
QString spreadText(double mean, double deviation, std::int64_t runs);

/// The means of one arm, step by step, up to the last step measured by all its started runs: a mean
/// over fewer would jump.
std::vector<train::StudySpread> wholeSpreads(const train::StudyCurves& curves,
                                             const std::string& arm);

/// A table of what each arm has reached at the last step at which all its runs were measured.
std::vector<StudyTable::Column> curveColumns();
QList<QStringList> curveRows(const train::StudyCurves& curves);

/// What came out, whichever way: the arms after as many operations as the cheapest one took. It is
/// a draw where the losses of the first two, mean ± deviation, overlap. Empty before all that have
/// begun, and at least two, can be compared.
QString outcomeText(const train::StudyCurves& curves);

}  // namespace tfm::ui
