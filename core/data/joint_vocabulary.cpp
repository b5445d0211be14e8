// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/joint_vocabulary.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"

namespace tfm::data {
namespace {

std::vector<std::string> plainTokens(const Vocabulary& vocabulary) {
  std::vector<std::string> plain;
  for (std::int32_t id = 0; id < vocabulary.size(); ++id)
    if (!vocabulary.isSpecial(id)) plain.push_back(vocabulary.token(id));
  return plain;
}

/// The special tokens after the plain ones.
Vocabulary withSpecials(std::vector<std::string> tokens, bool unknown) {
  const auto count = static_cast<std::int32_t>(tokens.size());
  for (const char* name : {"<start>", "<pad>", "<unknown>"}) tokens.emplace_back(name);
  if (!unknown) tokens.pop_back();
  return {std::move(tokens),
          {.start = count, .pad = count + 1, .unknown = unknown ? count + 2 : -1}};
}

Ids translation(const Vocabulary& from, const Vocabulary& to) {
  Ids table;
  for (const std::string& token : from.tokens()) table.push_back(to.find(token));
  const auto set = [&table](std::int32_t id, std::int32_t special) {
    if (id >= 0) table[static_cast<std::size_t>(id)] = special;
  };
  set(from.start(), to.start());
  set(from.pad(), to.pad());
  set(from.unknown(), to.unknown());
  return table;
}

Ids translate(std::span<const std::int32_t> ids, const Ids& table) {
  Ids result;
  result.reserve(ids.size());
  for (const std::int32_t id : ids) {
    check(id >= 0 && static_cast<std::size_t>(id) < table.size(), "an id of the vocabulary");
    result.push_back(table[static_cast<std::size_t>(id)]);
  }
  return result;
}

}  // namespace

JointVocabulary::JointVocabulary(const Vocabulary& source, const Vocabulary& target) {
  if (source == target) {
    vocabulary_ = target;
  } else {
    std::vector<std::string> tokens = plainTokens(source);
    const std::vector<std::string> more = plainTokens(target);
    tokens.insert(tokens.end(), more.begin(), more.end());
    // Bytewise order of UTF-8 is the order of code points.
    std::sort(tokens.begin(), tokens.end());
    tokens.erase(std::unique(tokens.begin(), tokens.end()), tokens.end());
    vocabulary_ = withSpecials(std::move(tokens), source.unknown() >= 0 || target.unknown() >= 0);
  }
  from_source_ = translation(source, vocabulary_);
  from_target_ = translation(target, vocabulary_);
}

Ids JointVocabulary::fromSource(std::span<const std::int32_t> ids) const {
  return translate(ids, from_source_);
}

Ids JointVocabulary::fromTarget(std::span<const std::int32_t> ids) const {
  return translate(ids, from_target_);
}

}  // namespace tfm::data
