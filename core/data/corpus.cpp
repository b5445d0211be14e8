// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/corpus.h"

#include <cstdint>

#include "core/data/builtin_text.h"
#include "core/data/number_table.h"
#include "core/io/file_kind.h"
#include "core/io/npz.h"
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

}  // namespace

std::string corpusText(const TaskConfig& config) {
  if (!config.text.empty()) return unixNewlines(io::checkedText(config.text, corpusName(config)));
  if (io::fileKind(config.path) == io::FileKind::Archive)
    return numberTableText(numberTableOf(io::readNpz(config.path), config.path));
  if (!config.path.empty()) return unixNewlines(io::readTextFile(config.path, kMaxCorpusBytes));
  return std::string(builtinText());
}

std::string corpusName(const TaskConfig& config) {
  if (!config.path.empty()) return config.path;
  return config.text.empty() ? "built-in text" : "text of the task";
}

}  // namespace tfm::data
