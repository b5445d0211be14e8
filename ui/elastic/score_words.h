// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "ui/elastic/elastic_mark.h"

namespace tfm::ui {

/// "trained granularity", "Mix'n'Match" or "trained separately".
QString kindText(ElasticKind kind);
/// The same in one word, beside the name: "trained", "Mix'n'Match" or "separate".
QString kindWord(ElasticKind kind);
/// "16 · 32 · 64"; "64 × 3" if all layers are equal; with the heads if they are nested too.
QString widthsText(const Submodel& submodel);
/// "0.841", or "0.841 ± 0.006" with several seeds.
QString meanText(const train::Spread& value, std::size_t seeds);
/// "0.825–0.856".
QString intervalText(const train::Interval& interval);
/// "seed 1", "seeds 1, 2, 3", "12 seeds".
QString seedsText(const std::vector<std::uint64_t>& seeds);
/// What to do if there are no marks.
QString nothingMeasuredText();

}  // namespace tfm::ui
