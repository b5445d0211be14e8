// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/tokenizer/tokenizer.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/check.h"
#include "core/base/error.h"
#include "core/data/tokenizer/byte_pairs.h"
#include "core/data/tokenizer/plain_tokenizer.h"
#include "core/data/tokenizer/special_tokens.h"
#include "core/data/tokenizer/subword_learning.h"
#include "core/data/tokenizer/wordpiece.h"
#include "core/io/message_text.h"

namespace tfm::data {
namespace {

constexpr const char* kRules = "task.tokenizer_rules";

struct Row {
  TokenizerKind kind;
  std::string_view name;
  bool writes;
  std::vector<std::string> (*learn)(const TokenizerConfig&, std::span<const std::string> texts);
  std::unique_ptr<Tokenizer> (*make)(std::vector<std::string> tokens, const std::string& rules);
};

std::unique_ptr<Tokenizer> makeWordPiece(std::vector<std::string> tokens,
                                         const std::string& rules) {
  return std::make_unique<WordPiece>(std::move(tokens), wordPieceRulesFromJson(rules, kRules));
}

std::unique_ptr<Tokenizer> makeBytePairs(std::vector<std::string> tokens) {
  return std::make_unique<BytePairs>(std::move(tokens));
}

/// A kind that always reads texts in the same way.
template <std::unique_ptr<Tokenizer> (*kMake)(std::vector<std::string>)>
std::unique_ptr<Tokenizer> make(std::vector<std::string> tokens, const std::string& rules) {
  if (!rules.empty())
    throw Error("only the tokenizer wordpiece has rules", kRules,
                "Leave tokenizer_rules out, or choose wordpiece");
  return kMake(std::move(tokens));
}

constexpr std::array kRows{
    Row{TokenizerKind::Character, "character", true, learnCharacters, make<makeCharacterTokenizer>},
    Row{TokenizerKind::Word, "word", false, learnWords, make<makeWordTokenizer>},
    Row{TokenizerKind::WordPiece, "wordpiece", false, learnWordPieces, makeWordPiece},
    Row{TokenizerKind::BytePair, "bpe", true, learnBytePairs, make<makeBytePairs>},
};

const Row& rowOf(TokenizerKind kind) {
  const auto found =
      std::find_if(kRows.begin(), kRows.end(), [kind](const Row& row) { return row.kind == kind; });
  check(found != kRows.end(), "every kind of tokenizer needs a row");
  return *found;
}

std::vector<std::string> learned(const Row& row, TokenizerConfig config,
                                 std::span<const std::string> texts) {
  if (config.mask) --config.vocabulary_size;
  std::vector<std::string> tokens = row.learn(config, texts);
  if (config.mask) tokens.emplace_back(kMaskToken);
  return tokens;
}

}  // namespace

std::int32_t Tokenizer::mask() const { return vocabulary().find(kMaskToken); }

std::unique_ptr<Tokenizer> makeTokenizer(const TokenizerConfig& config,
                                         std::span<const std::string> texts) {
  const Row& row = rowOf(config.kind);
  return row.make(
      config.vocabulary.empty() ? learned(row, config, texts) : vocabularyLines(config.vocabulary),
      config.rules);
}

std::vector<std::string> vocabularyLines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.emplace_back(line);
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
  }
  return lines;
}

std::string vocabularyText(const Vocabulary& vocabulary) {
  std::string text;
  for (const std::string& token : vocabulary.tokens()) text.append(token).append("\n");
  return text;
}

std::string rowWithoutToken(std::int64_t id) { return "[no token " + std::to_string(id) + "]"; }

bool canWrite(TokenizerKind kind) { return rowOf(kind).writes; }

std::string_view tokenizerName(TokenizerKind kind) { return rowOf(kind).name; }

TokenizerKind findTokenizer(std::string_view name) {
  std::string names;
  for (const Row& row : kRows) {
    if (row.name == name) return row.kind;
    names.append(names.empty() ? "" : ", ").append(row.name);
  }
  throw Error("there is no tokenizer " + io::inQuotes(name), "tokenizer",
              "Tokenizers: " + names + ".");
}

}  // namespace tfm::data
