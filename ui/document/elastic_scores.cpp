// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/elastic_scores.h"

#include <algorithm>

namespace tfm::ui {

void ElasticScores::take(const TimedScore& score) {
  TimedScore& known = scores_[score.score.submodel];
  if (score.complete || !known.complete) known = score;
}

const TimedScore* ElasticScores::find(const Submodel& submodel) const {
  const auto known = scores_.find(submodel);
  return known == scores_.end() ? nullptr : &known->second;
}

bool ElasticScores::isMeasured(const Submodel& submodel, int moment) const {
  const TimedScore* known = find(submodel);
  return known != nullptr && known->complete && known->moment == moment;
}

void ElasticScores::keepOnly(std::span<const Submodel> submodels) {
  std::erase_if(scores_, [&](const auto& entry) {
    return std::ranges::find(submodels, entry.first) == submodels.end();
  });
}

}  // namespace tfm::ui
