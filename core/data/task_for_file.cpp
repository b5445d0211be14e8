// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/task_for_file.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "core/base/error.h"
#include "core/data/labelled_texts.h"
#include "core/data/number_table.h"
#include "core/data/tokenizer/tokenizer.h"
#include "core/io/file_kind.h"

namespace tfm::data {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kHeadBytes = 1 << 20;

TaskConfig configFor(std::string_view kind, const fs::path& path) {
  TaskConfig config = defaultTaskConfig(kind);
  config.path = path.string();
  return config;
}

bool areSentimentLabels(const std::set<std::string>& labels) {
  return std::ranges::any_of(kSentimentLabels, [&](const auto& codes) {
    return std::ranges::all_of(labels, [&](const std::string& label) {
      return std::ranges::find(codes, asciiLower(label)) != codes.end();
    });
  });
}

/// Nullopt if the rows have no labels, i.e. few values in many rows.
std::optional<TaskConfig> labelled(const std::string& table, const fs::path& path) {
  try {
    const auto rows = parseLabelledTexts(table, path.string(), LabelColumn::Found);
    const std::set<std::string> labels = labelsOf(rows);
    if (labels.size() < 2 || 2 * labels.size() > rows.size()) return std::nullopt;
    if (areSentimentLabels(labels)) return configFor("sentiment", path);
    TaskConfig config = configFor("classes", path);
    config.tokenizer = tokenizerName(TokenizerKind::Word);
    if (table.find('\t') != table.npos) {
      const auto first = parseLabelledTexts(table, path.string(), LabelColumn::Second);
      config.label_first = !labels.contains(first.back().label);
    }
    return config;
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace

TaskConfig taskForFile(const fs::path& path) {
  const io::FileKind kind = io::fileKind(path);
  if (kind == io::FileKind::Folder) {
    std::error_code unknown;
    TaskConfig config = configFor("sentiment", path);
    if (fs::exists(path / "config.json", unknown) && fs::exists(path / "vocab.txt", unknown))
      config.encoder_path = std::exchange(config.path, {});
    return config;
  }
  if (kind == io::FileKind::Archive) return configFor("regression", path);
  if (kind != io::FileKind::Table) return configFor("text", path);
  const std::string table = io::firstLines(path, kHeadBytes);
  if (isNumberTable(table)) return configFor("regression", path);
  if (const auto config = labelled(table, path)) return *config;
  const bool tabs = table.find('\t') != table.npos;
  return configFor(tabs ? "pairs" : "text", path);
}

}  // namespace tfm::data
