// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <span>

#include "core/ask/submodel_scorer.h"

namespace tfm::ui {

/// A measurement and the moment it is of.
struct TimedScore {
  train::SubmodelScore score;
  std::int64_t step = 0;
  int moment = 0;         ///< counts the observed states; two may have the same step
  bool complete = false;  ///< false: of the first examples only
};

/// The newest measurement of each submodel of one model.
class ElasticScores {
 public:
  /// Stores a measurement. An incomplete one does not replace a complete one, so that during
  /// training each number changes only when the next is known equally well.
  void take(const TimedScore& score);
  /// Null if it has not been measured.
  const TimedScore* find(const Submodel& submodel) const;
  /// Whether the measurement of this moment is complete.
  bool isMeasured(const Submodel& submodel, int moment) const;
  /// Removes all others.
  void keepOnly(std::span<const Submodel> submodels);
  void clear() { scores_.clear(); }

 private:
  std::map<Submodel, TimedScore> scores_;
};

}  // namespace tfm::ui
