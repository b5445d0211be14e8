// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/task_tokenizer.h"

#include <cstdint>

#include "core/base/error.h"
#include "core/data/corpus.h"
#include "core/data/labelled_task.h"
#include "core/data/task_table.h"
#include "core/io/text_file.h"

namespace tfm::data {
namespace {

constexpr std::uint64_t kMaxVocabularyBytes = std::uint64_t{8} << 20;

}  // namespace

bool usesTokenizer(const TaskConfig& config) {
  if (config.kind == "pairs") return config.tokenizer != tokenizerName(TokenizerKind::Character);
  return isLabelled(config) || findTask(config.kind).form == TaskForm::Masked;
}

std::unique_ptr<Tokenizer> taskTokenizer(const TaskConfig& config,
                                         const std::function<std::vector<std::string>()>& texts,
                                         bool mask) {
  TokenizerConfig wanted;
  wanted.kind = findTokenizer(config.tokenizer);
  wanted.vocabulary_size = config.vocabulary_size;
  wanted.vocabulary = config.vocabulary;
  wanted.mask = mask;
  wanted.rules = config.tokenizer_rules;
  if (wanted.vocabulary.empty() && !config.vocabulary_path.empty())
    wanted.vocabulary = io::readTextFile(config.vocabulary_path, kMaxVocabularyBytes);
  const bool learned = wanted.vocabulary.empty();
  try {
    return makeTokenizer(wanted, learned ? texts() : std::vector<std::string>());
  } catch (const Error& error) {
    const std::string& given = config.vocabulary_path;
    throw Error(error.problem(), learned || given.empty() ? corpusName(config) : given,
                error.hint());
  }
}

}  // namespace tfm::data
