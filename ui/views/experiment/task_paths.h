// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "core/data/task_config.h"
#include "ui/widgets/forward.h"
#include "ui/widgets/path_row.h"

namespace tfm::ui {

/// A path used by some kinds of task, and its texts in a form.
struct TaskPath {
  std::array<std::string_view, 2> kinds;  ///< of tasks; an empty one is none
  std::string_view field;                 ///< of TaskConfig
  std::string data::TaskConfig::*value;
  PathRow::Kind kind;
  /// In the translator's context "paths".
  const char *name, *meaning, *empty;
  /// Whether it applies, given the config's other fields.
  bool (*used)(const data::TaskConfig& config);
  /// Replaces `empty` if the training texts include such texts; nullptr: they cannot.
  const char* brought = nullptr;

  const char* emptyIn(const data::TaskConfig& config) const;
  bool belongsTo(std::string_view kind) const { return kind == kinds[0] || kind == kinds[1]; }
};

/// All of them, in the order to show them.
std::span<const TaskPath> taskPaths();

/// The config without paths that do not apply.
data::TaskConfig withUsedPaths(data::TaskConfig config);

/// The path that an error is about, by the field's name or because it is in that file or folder;
/// nullptr for none.
const TaskPath* pathOf(const Error& problem, const data::TaskConfig& config);

}  // namespace tfm::ui
