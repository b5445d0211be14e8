// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/train/train_config.h"

namespace CLI {
class App;
}

namespace tfm::cli {

/// Whether training may stop before its last step.
enum class StopRules { Offered, None };

/// One option for each field of a TrainConfig, except the last step (--steps).
class TrainOptions {
 public:
  TrainOptions(CLI::App& options, StopRules rules);
  /// Applies the options given. A new optimizer starts with its default rates, except for those
  /// given here or in `explicit_train`, a JSON object of fields. Returns whether the optimizer
  /// changed. Throws Error naming the option and the allowed values.
  bool apply(train::TrainConfig& config, const ModelConfig& model,
             const std::string& explicit_train = "{}") const;

 private:
  std::shared_ptr<nlohmann::json> given_;  // shared with the parser
};

}  // namespace tfm::cli
