// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/output_files.h"
#include "core/data/task.h"
#include "core/data/task_config.h"
#include "core/model/model_config.h"

namespace CLI {
class App;
}

namespace tfm::cli {

/// --task, --data and one option for each other field of a TaskConfig.
class TaskOptions {
 public:
  explicit TaskOptions(CLI::App& options);
  /// Whether any was given.
  bool given() const;
  /// The files that the options name.
  std::vector<GivenFile> files() const;
  /// The kind of --task; empty: not given.
  std::string kind() const;
  /// The task asked for, on top of the experiment's. Throws Error where there is none, or naming
  /// the field and what is allowed.
  data::TaskConfig apply(const std::optional<data::TaskConfig>& usual,
                         const ModelConfig& model) const;
  /// The task of a config. What it says of a field that was given is said of the option.
  std::unique_ptr<data::Task> make(const data::TaskConfig& config) const;

 private:
  std::shared_ptr<nlohmann::json> given_;  // shared with the parser
};

}  // namespace tfm::cli
