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

/// Whether a training may end before its last step.
enum class StopRules { Offered, None };

/// One option for each field of a TrainConfig, except the last step, which --steps says.
class TrainOptions {
 public:
  TrainOptions(CLI::App& options, StopRules rules);
  /// Changes the fields that were given. Another optimizer than before begins with its own usual
  /// rates, but for what is given and what `stated`, a JSON object of fields, says. Returns whether
  /// it is another. Throws Error naming the option and what is allowed.
  bool apply(train::TrainConfig& config, const ModelConfig& model,
             const std::string& stated = "{}") const;

 private:
  std::shared_ptr<nlohmann::json> given_;  // shared with the parser
};

}  // namespace tfm::cli
