// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/compare_models.h"

namespace tfm::train {

/// The arms of a study of growing.
inline constexpr const char* kGrown = "grown";
inline constexpr const char* kFromScratch = "from_scratch";

/// The study with its two arms. Throws Error as runGrowthStudy().
StudyConfig growthStudyArms(const StudyConfig& config);

/// Does growing pay? The model of the study, small, grows on the schedule in `train.growths`;
/// against it, its final size is trained from scratch. Throws Error for a schedule that is empty,
/// ends after the last step or is not possible, and what compareModels() throws.
StudyCurves runGrowthStudy(const StudyConfig& config,
                           const StudyProgress<StudyPoint>& progress = {});

}  // namespace tfm::train
