// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/data/task_config.h"

namespace tfm::data {

/// A file or folder with a text of a task, and what the text is.
struct TextReference {
  /// Where it may be, the likeliest first, absolute; of test texts also none: they are in the same
  /// folder.
  std::vector<std::filesystem::path> places;
  std::int64_t bytes = 0;  ///< of the text as the task reads it
  std::string hash;        ///< ContentHash of that
  bool operator==(const TextReference&) const = default;
};

/// What a document stores instead of long texts.
struct TextReferences {
  TextReference text;
  std::optional<TextReference> test;
  bool label_first = false;  ///< TaskConfig::label_first of the files
  bool operator==(const TextReferences&) const = default;
};

/// A task whose texts have moved or changed.
struct MissingTexts {
  TaskConfig task;  ///< without its texts
  TextReferences references;
  Error problem;  ///< what is missing, where, and what to do
};

/// Texts of up to this many bytes in total stay inside a document.
inline constexpr std::size_t kMaxKeptBytes = std::size_t{1} << 20;

/// The files of a self-contained config with longer texts; nullopt if the texts are short, or if
/// the files do not contain them (any more): then the texts must be kept. Reads the files, and
/// remembers where they are (see rememberPlace()).
std::optional<TextReferences> referencesFor(const TaskConfig& config);

/// The config without the texts of its files.
TaskConfig withoutTexts(TaskConfig config);

/// The config with the texts, and with the paths where they were found. Throws Error if a file has
/// moved or changed.
TaskConfig withReferencedTexts(const TaskConfig& config, const TextReferences& references);

/// Whether the texts of a config are those of the references.
bool hasTexts(const TaskConfig& config, const TextReferences& references);

/// As a JSON object, for a document in `folder`: paths as storedPath().
std::string toJson(const TextReferences& references, const std::filesystem::path& folder);
/// Parses the output of toJson() of a document that is now in `folder`. The texts may be there,
/// where an older document says, or where this machine remembers them. Throws Error naming `where`
/// and the field.
TextReferences textReferencesFromJson(std::string_view json, const std::filesystem::path& folder,
                                      const std::string& where);

}  // namespace tfm::data
