// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/lesson/weight_steps.h"

#include "ui/document/model_document.h"

namespace tfm::ui {

WeightSteps::WeightSteps(ModelDocument& document, QObject* parent)
    : QObject(parent), document_(document) {}

void WeightSteps::want(const std::vector<std::string>& weights) {
  const auto& seen = document_.observing().snapshot();
  if (weights.empty() || seen == nullptr || seen->state == nullptr || seen->is_difference) return;
  if (weights == weights_ && seen->state == state_ && seen->probe.question == text_) return;
  weights_ = weights;
  state_ = seen->state;
  text_ = seen->probe.question;
  steps_.clear();
  job_.start(
      [weights, state = state_, text = text_, config = document_.training().config(),
       codec = document_.sharedCodec(), framing = document_.framing()] {
        Steps steps;
        for (const std::string& weight : weights)
          (void)problemOf([&] {
            steps.emplace(weight, train::weightStep(*state, config, *codec, framing, text, weight));
          });
        return steps;
      },
      [this](Steps steps) { steps_ = std::move(steps); });
}

std::optional<train::WeightStep> WeightSteps::of(const std::string& weight) const {
  const auto found = steps_.find(weight);
  return found == steps_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace tfm::ui
