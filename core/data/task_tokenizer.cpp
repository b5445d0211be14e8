// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/task_tokenizer.h"

#include <cstdint>

#include "core/base/error.h"
#include "core/data/corpus.h"
#include "core/data/labelled_task.h"
#include "core/io/text_file.h"

namespace tfm::data {
namespace {

constexpr std::uint64_t kMaxVocabularyBytes = std::uint64_t{8} << 20;

}  // namespace

bool takesTokenizer(std::string_view kind) { return takesLabelledTexts(kind) || kind == "pairs"; }

bool usesTokenizer(const TaskConfig& config) {
  const bool characters = config.tokenizer == tokenizerName(TokenizerKind::Character);
  return isLabelled(config) || (config.kind == "pairs" && !characters);
}

std::unique_ptr<Tokenizer> tokenizerFor(const TaskConfig& config,
                                        std::span<const std::string> texts) {
  TokenizerConfig wanted;
  wanted.kind = findTokenizer(config.tokenizer);
  wanted.vocabulary_size = config.vocabulary_size;
  wanted.vocabulary = config.vocabulary;
  if (wanted.vocabulary.empty() && !config.vocabulary_path.empty())
    wanted.vocabulary = io::readTextFile(config.vocabulary_path, kMaxVocabularyBytes);
  const bool learnt = wanted.vocabulary.empty();
  try {
    return makeTokenizer(wanted, texts);
  } catch (const Error& error) {
    const std::string& given = config.vocabulary_path;
    throw Error(error.problem(), learnt || given.empty() ? corpusName(config) : given,
                error.hint());
  }
}

}  // namespace tfm::data
