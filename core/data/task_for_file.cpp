// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/task_for_file.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "core/base/error.h"
#include "core/data/header.h"
#include "core/data/labelled_texts.h"
#include "core/data/number_table.h"
#include "core/data/tokenizer/tokenizer.h"
#include "core/io/file_kind.h"
#include "core/io/text_table.h"

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
    const auto rows = parseLabelledTexts(table, path.string()).rows;
    const std::set<std::string> labels = labelsOf(rows);
    if (labels.size() < 2 || 2 * labels.size() > rows.size()) return std::nullopt;
    if (areSentimentLabels(labels)) return configFor("sentiment", path);
    TaskConfig config = configFor("classes", path);
    config.tokenizer = tokenizerName(TokenizerKind::Word);
    if (table.find('\t') != table.npos) {
      const auto second =
          parseLabelledTexts(table, path.string(), {.column = LabelColumn::Second}).rows;
      config.label_first = !labels.contains(second.back().label);
    }
    return config;
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// Whether a table has two columns at least; with commas or semicolons, exactly two below a header.
bool isPairsTable(const std::string& table, const fs::path& path) {
  try {
    ReadingNotes notes;
    const io::TextTable read = io::readTable(table, path.string());
    if (read.rows.empty()) return false;
    if (read.separator == '\t') return true;
    return read.rows.front().cells.size() == 2 &&
           hasPairsHeader(read.rows, TableHeader::Found, path.string(), notes);
  } catch (const Error&) {
    return table.find('\t') != table.npos;
  }
}

}  // namespace

TaskConfig taskForFile(const fs::path& path) {
  const io::FileKind kind = io::fileKind(path);
  if (kind == io::FileKind::Folder) {
    const auto has = [&](const char* name) {
      std::error_code unknown;
      return fs::exists(path / name, unknown);
    };
    TaskConfig config = configFor("sentiment", path);
    if (has("config.json") && (has("vocab.txt") || has("tokenizer.json")))
      config.encoder_path = std::exchange(config.path, {});
    return config;
  }
  if (kind == io::FileKind::Archive) return configFor("regression", path);
  if (kind != io::FileKind::Table) return configFor("text", path);
  const std::string table = io::firstLines(path, kHeadBytes);
  if (isNumberTable(table)) return configFor("regression", path);
  if (const auto config = labelled(table, path)) return *config;
  return configFor(isPairsTable(table, path) ? "pairs" : "text", path);
}

}  // namespace tfm::data
