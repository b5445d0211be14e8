// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "core/train/study.h"

namespace tfm::ui {

/// The last step measured by all started runs of an arm.
struct StudyEnd {
  train::StudySpread spread;
  std::int64_t parameters = 0;
};

QString armText(train::StudyArm arm);
/// "10⁹".
QString powerOfTenText(int power);
/// "1.23 × 10⁹".
QString operationsText(double operations);
/// "0.512 ± 0.031"; without the deviation for a single run.
QString spreadText(double mean, double deviation, std::int64_t runs);

/// The means of one arm, step by step, up to the last step measured by all its started runs: a mean
/// over fewer would jump.
std::vector<train::StudySpread> wholeSpreads(const train::StudyResult& result, train::StudyArm arm);
/// One for each measured arm, the grown one first.
std::vector<StudyEnd> endsOf(const train::StudyResult& result);

/// The result: both arms compared after the cheaper one's number of operations. A draw if their
/// losses, mean ± deviation, overlap. Empty until both arms have measurements.
QString outcomeText(const train::StudyResult& result);

}  // namespace tfm::ui
