// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/ask/submodel_scorer.h"
#include "core/data/task.h"
#include "core/model/model_state.h"
#include "core/observe/intervention.h"

namespace tfm::train {

struct ImportanceOptions {
  observe::UnitKind of = observe::UnitKind::Heads;
  std::int64_t group = 1;         ///< neurons switched off at once
  bool mean = false;              ///< set to their mean instead of 0
  std::int64_t examples = 2'000;  ///< held-out ones, or all if there are fewer
  int threads = 2;
};

/// A unit and how the model answers without it.
struct UnitImportance {
  observe::Unit unit;
  /// Without the unit; agreement and divergence are those with the whole model. Its examples are
  /// fewer than the whole's while it is being measured.
  SubmodelScore score;
  bool done = false;
};

/// Loss and accuracy that each head, group of neurons or layer is worth, switched off alone (Michel
/// et al. 2019).
struct ImportanceMap {
  SubmodelScore whole;
  std::vector<UnitImportance> units;  ///< in execution order, measured from the first on

  /// What the model loses without a unit: of accuracy, as a share; and what is added to the loss.
  double accuracyLost(const UnitImportance& unit) const {
    return whole.accuracy() - unit.score.accuracy();
  }
  double lossAdded(const UnitImportance& unit) const { return unit.score.loss - whole.loss; }
};

/// Called after each batch with the map so far; returns false to cancel. `share`: of the work done.
using ImportanceProgress = std::function<bool(const ImportanceMap& so_far, double share)>;

/// Returns nullopt if cancelled. Interventions already in force stay. Throws Error if the model
/// does not fit the task or has no such units.
std::optional<ImportanceMap> importance(std::shared_ptr<const data::Task> task,
                                        std::shared_ptr<const ModelState> state,
                                        const ImportanceOptions& options,
                                        const ImportanceProgress& progress = {});

/// The map as a table: target, layer (from 0), number, loss, loss added, accuracy, accuracy lost,
/// agreement, divergence; the first row is the whole model.
std::string importanceTsv(const ImportanceMap& map);

}  // namespace tfm::train
