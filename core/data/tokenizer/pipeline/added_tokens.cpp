// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/tokenizer/pipeline/added_tokens.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.h"
#include "core/data/unicode.h"
#include "core/io/fields.h"
#include "core/io/utf8.h"

namespace tfm::data {
namespace {

/// The character before a place; 0 at the beginning.
char32_t before(std::string_view text, std::size_t at) {
  if (at == 0) return 0;
  std::size_t begin = at - 1;
  while (begin > 0 && (static_cast<unsigned char>(text[begin]) & 0xC0) == 0x80) --begin;
  return io::characterAt(text, begin).code_point;
}

char32_t after(std::string_view text, std::size_t at) {
  return at < text.size() ? io::characterAt(text, at).code_point : 0;
}

std::size_t lengthAt(std::string_view text, std::size_t at) {
  return io::characterAt(text, at).length;
}

}  // namespace

AddedTokens::AddedTokens(const nlohmann::json& list, const Normalizer& normalizer,
                         const std::string& where)
    : normalizer_(normalizer) {
  if (!list.is_array() && !list.is_null())
    throw Error("'added_tokens' is no list", where, "Expected a list of tokens");
  for (const nlohmann::json& entry : list) {
    io::ObjectReader reader(entry, where + ", added_tokens");
    Token token;
    token.content = reader.get<std::string>("content", "");
    const auto id = reader.get<std::int64_t>("id", -1);
    if (token.content.empty()) reader.throwInvalid("content", "the name of a token");
    if (id < 0 || id >= std::numeric_limits<std::int32_t>::max())
      reader.throwInvalid("id", "the id of a token");
    token.id = std::int32_t(id);
    token.single_word = reader.get("single_word", false);
    token.strips_left = reader.get("lstrip", false);
    token.strips_right = reader.get("rstrip", false);
    const bool special = reader.get("special", false);
    const bool normalized = reader.get("normalized", !special);
    reader.refuseUnknown("this setting is not read",
                         "If no token depends on it, remove it from the file");
    if (normalized) token.content = normalizer_(token.content);
    names_[token.id] = token.content;
    if (token.content.empty()) continue;
    Index& index = normalized ? normalized_ : raw_;
    index[static_cast<unsigned char>(token.content.front())].push_back(std::move(token));
  }
  for (Index* index : {&raw_, &normalized_})
    for (std::vector<Token>& tokens : *index)
      std::ranges::stable_sort(tokens, [](const Token& a, const Token& b) {
        return a.content.size() > b.content.size();
      });
}

void AddedTokens::find(const Index& index, std::string_view text, bool first,
                       const std::function<void(Part)>& visit) {
  std::size_t done = 0;
  const auto visitText = [&](std::size_t end) {
    if (end > done) visit({-1, std::string(text.substr(done, end - done)), first && done == 0});
  };
  for (std::size_t at = 0; at < text.size();) {
    const std::vector<Token>& candidates = index[static_cast<unsigned char>(text[at])];
    const auto token = std::ranges::find_if(
        candidates, [&](const Token& t) { return text.substr(at).starts_with(t.content); });
    if (token == candidates.end()) {
      ++at;
      continue;
    }
    std::size_t begin = at, end = at + token->content.size();
    at = end;
    if (token->single_word &&
        (isWordCharacter(before(text, begin)) || isWordCharacter(after(text, end))))
      continue;
    while (token->strips_left && begin > done && isWhiteSpace(before(text, begin))) {
      do --begin;
      while ((static_cast<unsigned char>(text[begin]) & 0xC0) == 0x80);
    }
    while (token->strips_right && end < text.size() && isWhiteSpace(after(text, end)))
      end += lengthAt(text, end);
    visitText(begin);
    visit({token->id, {}, false});
    done = end;
    at = std::max(at, end);
  }
  visitText(text.size());
}

std::vector<AddedTokens::Part> AddedTokens::cut(std::string_view text) const {
  std::vector<Part> parts;
  const auto keep = [&](Part part) { parts.push_back(std::move(part)); };
  find(raw_, text, true, [&](Part part) {
    if (part.id >= 0) return keep(std::move(part));
    find(normalized_, normalizer_(std::move(part.text)), part.first, keep);
  });
  return parts;
}

}  // namespace tfm::data
