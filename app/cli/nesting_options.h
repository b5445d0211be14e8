// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>

#include "core/train/train_config.h"

namespace CLI {
class App;
}

namespace tfm::cli {

/// --matformer and the other options for training nested submodels.
class NestingOptions {
 public:
  explicit NestingOptions(CLI::App& options);
  /// Applies the options given; --matformer alone uses the default widths of the model. Throws
  /// Error naming the field and the allowed values.
  void apply(train::TrainConfig& config, const ModelConfig& model) const;
  /// Throws Error for sizes given, or in the file `config`, that the model does not have after its
  /// last growth.
  void requireSizes(const matformer::Nesting& nesting, const ModelConfig& grown,
                    const std::string& config) const;

 private:
  struct Given;
  std::shared_ptr<Given> given_;  // shared with the parser
};

}  // namespace tfm::cli
