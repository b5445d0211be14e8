// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/corpus.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "core/base/error.h"
#include "core/data/builtin_text.h"
#include "core/data/number_table.h"
#include "core/data/text_pairs.h"
#include "core/io/file_kind.h"
#include "core/io/npz.h"
#include "core/io/read_file.h"
#include "core/io/text_file.h"

namespace tfm::data {
namespace {

// A character takes four bytes as an id, and this is far more than a small model can learn.
constexpr std::uint64_t kMaxCorpusBytes = std::uint64_t{64} << 20;

std::string unixNewlines(std::string text) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] != '\r' || i + 1 == text.size() || text[i + 1] != '\n') text[kept++] = text[i];
  text.resize(kept);
  return text;
}

bool isArchive(const std::string& path) { return io::fileKind(path) == io::FileKind::Archive; }

/// A file's table of numbers as documents keep it.
std::string numbersText(std::string text, const std::string& where) {
  const NumberTable table = parseNumberTable(text, where);
  try {
    if (parseNumberTable(text, where, true, ReadingRules::Kept) == table) return text;
  } catch (const Error&) {  // it is not written like that
  }
  return numberTableText(table, NumberDigits::Double);
}

/// The same of a table of two columns.
CorpusText pairsText(std::string text, const TaskConfig& config) {
  const bool classes = config.kind == "classes";
  TextPairs table = classes ? labelledPairs(text, config) : questionPairs(text, config);
  const auto same = [](const io::TextPair& one, const io::TextPair& other) {
    return one.first == other.first && one.second == other.second;
  };
  try {
    const auto extra = classes ? io::ExtraColumns::Refuse : io::ExtraColumns::Ignore;
    if (std::ranges::equal(io::parseTsv(text, config.path, extra), table.rows, same))
      return {std::move(text), std::move(table.notes)};
  } catch (const Error&) {  // it is not written like that
  }
  return {tabText(table.rows), std::move(table.notes)};
}

}  // namespace

std::string readFileText(const std::string& path, std::uint64_t max_bytes, ReadingRules rules) {
  return rules == ReadingRules::Present ? io::readTextFile(path, max_bytes)
                                        : io::checkedText(io::readFile(path, max_bytes), path);
}

CorpusText readCorpus(const TaskConfig& config, ReadingRules rules) {
  if (!config.text.empty())
    return {unixNewlines(io::checkedText(config.text, corpusName(config))), {}};
  if (config.path.empty()) return {std::string(builtinText()), {}};
  const bool numbers = config.kind == "regression";
  if (numbers && isArchive(config.path))
    return {numberTableText(
                numberTableOf(io::readNpz(config.path, {"inputs", "targets"}), config.path)),
            {}};
  std::string text = unixNewlines(readFileText(config.path, kMaxCorpusBytes, rules));
  if (rules == ReadingRules::Kept) return {std::move(text), {}};
  if (numbers) return {numbersText(std::move(text), config.path), {}};
  if (config.kind == "pairs" || config.kind == "classes") return pairsText(std::move(text), config);
  return {std::move(text), {}};
}

std::string corpusName(const TaskConfig& config) {
  if (!config.path.empty()) return config.path;
  return config.text.empty() ? "built-in text" : "text of the task";
}

std::vector<std::string> linesOf(std::string_view text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

}  // namespace tfm::data
