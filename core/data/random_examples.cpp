// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/random_examples.h"

#include <algorithm>

#include "core/tensor/random.h"
#include "core/tensor/random_streams.h"

namespace tfm::data {
namespace {

/// `count` tokens that are not special, from the draws after `first`. A vocabulary of special
/// tokens alone gives the first one.
Ids randomIds(const Random& random, std::uint64_t first, std::int64_t count,
              const Vocabulary& vocabulary) {
  Ids plain;
  for (std::int32_t id = 0; id < vocabulary.size(); ++id)
    if (!vocabulary.isSpecial(id)) plain.push_back(id);
  Ids ids;
  for (std::int64_t i = 0; i < count; ++i)
    ids.push_back(plain.empty() ? 0
                                : plain[static_cast<std::size_t>(random.integer(
                                      first + static_cast<std::uint64_t>(i), std::ssize(plain)))]);
  return ids;
}

}  // namespace

Example randomExample(const TextCodec& codec, std::uint64_t index, std::int64_t longest) {
  constexpr std::uint64_t kAnswer = 1 << 20;  // more than a question has tokens
  const Random random(0, streams::kQuestions.first, index);
  const std::int64_t most = std::min(codec.longestInput(), longest);
  const std::int64_t length = codec.form() == TaskForm::Text ? most : 1 + random.integer(0, most);
  Example example{randomIds(random, 1, length, codec.sourceVocabulary()), {}};
  std::int64_t answer = 0;
  switch (codec.form()) {
    case TaskForm::Sequence:
      answer = 1 + random.integer(kAnswer, std::max<std::int64_t>(codec.maxTargetLength() - 1, 1));
      break;
    case TaskForm::SameLength:
    case TaskForm::Text:
    case TaskForm::Masked:
      answer = length;
      break;
    case TaskForm::Classes:
      answer = 1;
      break;
    case TaskForm::Numbers:
    case TaskForm::None:
      return example;
  }
  example.target = randomIds(random, kAnswer + 1, std::min(answer, codec.maxTargetLength()),
                             codec.targetVocabulary());
  return example;
}

}  // namespace tfm::data
