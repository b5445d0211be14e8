// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QVariant>
#include <span>

#include "ui/elastic/elastic_mark.h"
#include "ui/figure/figure.h"

namespace tfm::ui {

/// One fact about a mark: a column of the table and a line of the card.
struct ScoreColumn {
  QString title;
  QString hint;         ///< what it means, for tooltips
  bool number = false;  ///< right-aligned, in the number font
  QString (*text)(const ElasticMark& mark);
  QVariant (*order)(const ElasticMark& mark);  ///< what the table sorts by
};

/// The name comes first, then the kind, the numbers, and the widths.
const std::vector<ScoreColumn>& scoreColumns();

/// The name with what it is: "S, trained granularity".
QString markTitle(const ElasticMark& mark);
/// All facts about a mark in one sentence.
QString markText(const ElasticMark& mark);

/// One row for each point and seed, with full precision.
DataTable pointTable(std::span<const ElasticPoint> points);

}  // namespace tfm::ui
