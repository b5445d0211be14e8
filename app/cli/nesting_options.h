// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "core/train/train_config.h"

namespace CLI {
class App;
}

namespace tfm::cli {

/// --matformer and what else says how nested submodels are trained.
class NestingOptions {
 public:
  explicit NestingOptions(CLI::App& options);
  /// Changes what was given; --matformer alone gives the model its usual widths. Throws Error
  /// naming the option's field and what is allowed.
  void apply(train::TrainConfig& config, const ModelConfig& model) const;

 private:
  struct Given;
  std::shared_ptr<Given> given_;  // shared with the parser
};

}  // namespace tfm::cli
