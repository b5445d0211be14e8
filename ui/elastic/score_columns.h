// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QVariant>
#include <span>
#include <vector>

#include "ui/elastic/elastic_mark.h"
#include "ui/figure/figure.h"

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
/// The unit of an axis of costs up to `largest`, which keeps ticks short, and what it says.
struct CostUnit {
  double size = 1;
  QString title;
};
CostUnit costUnit(CostAxis axis, double largest);
/// What to do if there are no marks.
QString nothingMeasuredText();

/// One fact about a mark: a column of the table and a line of the card.
struct ScoreColumn {
  QString title;
  QString hint;         ///< what it means, for tooltips
  bool number = false;  ///< right-aligned, in the number font
  QString (*text)(const ElasticMark& mark);
  QVariant (*order)(const ElasticMark& mark);  ///< what the table sorts by
};

/// The name comes first, then the kind, the numbers, and the widths. `by_position`: whether the
/// accuracies count positions.
const std::vector<ScoreColumn>& scoreColumns(bool by_position);

/// The name with what it is: "S, trained granularity".
QString markTitle(const ElasticMark& mark);
/// All facts about a mark in one sentence.
QString markText(const ElasticMark& mark);

/// The same, the title and then a line for each, with the values below each other.
QStringList markLines(const ElasticMark& mark);

/// One row for each point and seed, with full precision.
DataTable pointTable(std::span<const ElasticPoint> points);

}  // namespace tfm::ui
