// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <QStringList>
#include <string>
#include <vector>

#include "core/study/compare_models.h"
#include "ui/widgets/table.h"

namespace tfm::ui {

/// "growing", "from scratch", or the arm's name.
QString armText(const std::string& arm);
/// "1.23 × 10⁹".
QString operationsText(double operations);
/// "0.512 ± 0.031"; without the deviation for a single run.
QString spreadText(double mean, double deviation, std::int64_t runs);

/// The means of one arm at each step, up to the last step that all of its started runs have
/// reached: a mean over fewer runs would jump.
std::vector<train::StudySpread> wholeSpreads(const train::StudyCurves& curves,
                                             const std::string& arm);

/// Whether the accuracies of a study count positions.
bool countsPositions(const train::StudyCurves& curves);

/// The rows of a table: the results of each arm at the last step that all of its runs have reached.
std::vector<Table::Column> curveColumns();
inline constexpr int kAccuracyColumn = 5;  ///< of these; its title is accuracyText()
QList<QStringList> curveRows(const train::StudyCurves& curves);

/// The outcome in a sentence: compares the arms after as many operations as the cheapest one took.
/// A draw if the losses of the first two, mean ± deviation, overlap. Empty until at least two arms,
/// and all that were started, can be compared.
QString outcomeText(const train::StudyCurves& curves);

}  // namespace tfm::ui
