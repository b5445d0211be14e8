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

/// Says what was assumed when a file was read, and the options that decide it.
void sayNotes(const data::ReadingNotes& notes);
/// A note as one sentence.
std::string noteText(const data::ReadingNote& note);

/// --task, --data and one option for each other field of a TaskConfig.
class TaskOptions {
 public:
  explicit TaskOptions(CLI::App& options);
  /// Whether any option was given.
  bool given() const;
  /// The files named by the options.
  std::vector<GivenFile> files() const;
  /// The kind in --task; empty if not given.
  std::string kind() const;
  /// The task of the experiment with the options applied. Throws Error if there is no task, or
  /// naming the field and the allowed values.
  data::TaskConfig apply(const std::optional<data::TaskConfig>& usual,
                         const ModelConfig& model) const;
  /// Makes the task of a config and says what was assumed to read its files. An Error about a field
  /// given as an option names the option.
  std::unique_ptr<data::Task> make(const data::TaskConfig& config) const;

 private:
  std::shared_ptr<nlohmann::json> given_;  // shared with the parser
};

}  // namespace tfm::cli
