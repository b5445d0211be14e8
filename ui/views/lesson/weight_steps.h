// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/ask/observer.h"
#include "core/ask/weight_step.h"
#include "ui/document/forward.h"
#include "ui/document/latest_job.h"

namespace tfm::ui {

/// What a training step on the shown text does to some weights of the shown model, computed on
/// another thread.
class WeightSteps : public QObject {
  Q_OBJECT

 public:
  explicit WeightSteps(ModelDocument& document, QObject* parent = nullptr);

  /// Computes those of these weights, "NAME[ROW, COL]", where the model, its text or the weights
  /// have changed.
  void want(const std::vector<std::string>& weights);
  /// nullopt: not known yet, or the model has no such weight.
  std::optional<train::WeightStep> of(const std::string& weight) const;

 private:
  using Steps = std::map<std::string, train::WeightStep>;

  ModelDocument& document_;
  std::vector<std::string> weights_;
  train::StatePtr state_;  ///< that the steps are of
  std::string text_;
  Steps steps_;
  LatestJob job_{this};
};

}  // namespace tfm::ui
