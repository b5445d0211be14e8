// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstdint>

#include "core/train/submodel_scorer.h"

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

}  // namespace tfm::ui
