// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/tokenizer/plain_tokenizer.h"

#include <utility>

#include "core/data/tokenizer/basic_tokenizer.h"
#include "core/data/tokenizer/special_tokens.h"
#include "core/data/tokenizer/token_counts.h"

namespace tfm::data {
namespace {

class PlainTokenizer final : public Tokenizer {
 public:
  /// `separator` is inserted between the tokens of a decoded text.
  PlainTokenizer(TokenizerKind kind, std::vector<std::string> tokens, Splitter split,
                 std::string_view separator)
      : kind_(kind),
        vocabulary_(withSpecials(std::move(tokens), kPlainSpecials)),
        split_(split),
        separator_(separator) {}

  std::string_view name() const override { return tokenizerName(kind_); }
  const Vocabulary& vocabulary() const override { return vocabulary_; }

  Ids encode(std::string_view text) const override {
    Ids ids;
    split_(text, [&](const std::string& part) {
      const std::int32_t id = vocabulary_.find(part);
      ids.push_back(id < 0 ? vocabulary_.unknown() : id);
    });
    return ids;
  }

  std::string decode(std::span<const std::int32_t> ids) const override {
    std::string text;
    for (const std::int32_t id : ids) {
      if (id == vocabulary_.pad()) break;
      if (!text.empty()) text += separator_;
      text += vocabulary_.token(id);
    }
    return text;
  }

 private:
  TokenizerKind kind_;
  Vocabulary vocabulary_;
  Splitter split_;
  std::string_view separator_;
};

std::vector<std::string> learn(const TokenizerConfig& config, std::span<const std::string> texts,
                               Splitter split) {
  std::vector<std::string> tokens{std::string(kPlainSpecials.pad),
                                  std::string(kPlainSpecials.unknown)};
  const std::int64_t room = config.vocabulary_size - static_cast<std::int64_t>(tokens.size());
  for (std::string& token : frequentTokens(countTokens(texts, split), config.least_count, room))
    tokens.push_back(std::move(token));
  return tokens;
}

}  // namespace

std::unique_ptr<Tokenizer> makeWordTokenizer(std::vector<std::string> tokens) {
  return std::make_unique<PlainTokenizer>(TokenizerKind::Word, std::move(tokens), splitWords, " ");
}

std::vector<std::string> learnWords(const TokenizerConfig& config,
                                    std::span<const std::string> texts) {
  return learn(config, texts, splitWords);
}

std::unique_ptr<Tokenizer> makeCharacterTokenizer(std::vector<std::string> tokens) {
  return std::make_unique<PlainTokenizer>(TokenizerKind::Character, std::move(tokens),
                                          splitCharacters, "");
}

std::vector<std::string> learnCharacters(const TokenizerConfig& config,
                                         std::span<const std::string> texts) {
  return learn(config, texts, splitCharacters);
}

}  // namespace tfm::data
