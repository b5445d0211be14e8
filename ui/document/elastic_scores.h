// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <span>

#include "core/train/submodel_scorer.h"

namespace tfm::ui {

/// A measurement, and of which moment.
struct TimedScore {
  train::SubmodelScore score;
  std::int64_t step = 0;
  int moment = 0;         ///< counts the states looked at; two may be of one step
  bool complete = false;  ///< else of the first examples only
};

/// The newest measurement of each submodel of one model.
class ElasticScores {
 public:
  /// Keeps a measurement. One that is not complete does not come in place of a complete one: while
  /// training goes on, numbers change when the next are known as well as the last.
  void take(const TimedScore& score);
  /// Null where nothing is known.
  const TimedScore* find(const Submodel& submodel) const;
  /// Whether all is known of this moment.
  bool isMeasured(const Submodel& submodel, int moment) const;
  /// Forgets all but these.
  void keepOnly(std::span<const Submodel> submodels);
  void clear() { scores_.clear(); }

 private:
  std::map<Submodel, TimedScore> scores_;
};

}  // namespace tfm::ui
