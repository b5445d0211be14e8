// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/ask/submodel_scorer.h"
#include "core/study/spread.h"

namespace tfm::ui {

/// How a measured submodel came about.
enum class ElasticKind {
  Trained,   ///< a granularity the nested model was trained with
  Mixed,     ///< Mix'n'Match: a choice of widths that was not trained as such
  Separate,  ///< the same size trained on its own
};

/// A measured submodel, as plots and tables show it.
struct ElasticPoint {
  ElasticKind kind = ElasticKind::Mixed;
  QString name;            ///< "S" ... or the widths
  std::uint64_t seed = 0;  ///< of its training
  train::SubmodelScore score;
};

/// The cost that accuracy is plotted against.
enum class CostAxis { Parameters, Operations, Milliseconds };

/// One submodel of one kind, as measured with one or more seeds.
struct ElasticMark {
  ElasticKind kind = ElasticKind::Mixed;
  QString name;
  Submodel submodel;
  matformer::Cost cost;
  std::vector<std::uint64_t> seeds;  ///< ascending
  bool by_position = false;          ///< whether the accuracy counts positions, not answers
  std::int64_t examples = 0;         ///< the mean number for each seed
  train::Spread accuracy, loss, agreement, divergence, milliseconds;  ///< over the seeds
  /// Of the mean accuracy, at 95 %, from the number of answers for one seed: more seeds on the same
  /// examples do not add independent answers.
  train::Interval interval;
};

/// Cheapest first. Of several measurements with the same seed, the last counts.
std::vector<ElasticMark> marksOf(std::span<const ElasticPoint> points);

double costOf(const ElasticMark& mark, CostAxis axis);

/// The indices of the marks on the Pareto front of the nested model, cheapest first; separately
/// trained models are left out.
std::vector<std::size_t> frontOf(std::span<const ElasticMark> marks, CostAxis axis);

/// The names of the trained sizes, smallest first; the index determines colour and shape.
QStringList granularityNames(std::span<const ElasticMark> marks);

}  // namespace tfm::ui
