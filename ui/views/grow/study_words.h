// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "core/train/study.h"

namespace tfm::ui {

/// The last step at which all runs of an arm that have begun were measured.
struct StudyEnd {
  train::StudySpread spread;
  std::int64_t parameters = 0;
};

QString armText(train::StudyArm arm);
/// "1.23 × 10⁹".
QString operationsText(double operations);
/// "0.512 ± 0.031"; without the deviation of a single run.
QString spreadText(double mean, double deviation, std::int64_t runs);

/// The means of one arm, step after step, as long as all its runs that have begun were measured:
/// a mean over fewer would jump.
std::vector<train::StudySpread> wholeSpreads(const train::StudyResult& result, train::StudyArm arm);
/// One for each arm that has been measured, first the grown one.
std::vector<StudyEnd> endsOf(const train::StudyResult& result);

/// What came out, whichever way: both arms after as many operations as the cheaper one took. It is
/// a draw where their losses, mean ± deviation, overlap. Empty before both arms were measured.
QString outcomeText(const train::StudyResult& result);

}  // namespace tfm::ui
