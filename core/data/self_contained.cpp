// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/self_contained.h"

#include "core/data/corpus.h"
#include "core/data/features/encoder_tokens.h"
#include "core/data/features/text_features.h"
#include "core/data/labelled_task.h"
#include "core/data/task_table.h"
#include "core/data/task_tokenizer.h"

namespace tfm::data {
namespace {

/// Whether the text of readCorpus() is all that a task reads.
bool readsCorpus(const TaskConfig& config) {
  const TaskRow& row = findTask(config.kind);
  if (row.form == TaskForm::Numbers) return !config.path.empty();
  return row.file == TaskFile::Needed || row.form == TaskForm::Text || row.form == TaskForm::Masked;
}

}  // namespace

TaskConfig withTexts(TaskConfig config, ReadingRules rules) {
  if (isLabelled(config)) {
    const LabelledCorpus corpus = readLabelledCorpus(config, labelColumn(config), rules);
    config.text = labelledTable(corpus.training);
    config.test_text = labelledTable(corpus.test);
    config.label_first = true;
  } else if (readsCorpus(config)) {
    config.text = readCorpus(config, rules).text;
  }
  return config;
}

void keepVocabulary(TaskConfig& config, const Task& task) {
  if (!usesTokenizer(config)) return;
  if (const TextFeatures* features = task.features()) config.encoder_content = features->content();
  config.vocabulary = vocabularyText(task.sourceVocabulary());
  config.tokenizer_rules = task.tokenizerRules();
}

TaskConfig readingLike(const TextCodec& codec, TaskConfig config) {
  config.clean = codec.clean();
  if (const TextFeatures* features = codec.features()) {
    config.encoder_path = features->folder().string();
    config.encoder_content = features->content();
  } else if (!codec.tokenizerName().empty()) {
    config.tokenizer = codec.tokenizerName() == EncoderTokens::kName
                           ? tokenizerName(TokenizerKind::WordPiece)
                           : codec.tokenizerName();
  }
  if (!codec.tokenizerName().empty() && takesTokenizer(config.kind)) {
    config.vocabulary = vocabularyText(codec.sourceVocabulary());
    config.tokenizer_rules = codec.tokenizerRules();
  }
  return config;
}

ReadingNotes measureOn(TaskConfig& config, const std::string& path) {
  config.test_text.clear();
  config.test_path.clear();
  const LabelledCorpus corpus = readLabelledCorpus(config, labelColumn(config));
  const LabelledTable test = readTestTexts(path, config.header, corpus.training);
  config.test_text = labelledTable(test.rows);
  config.test_path = path;
  return test.notes;
}

bool isSelfContained(const TaskConfig& config) {
  if (isLabelled(config))
    return !config.text.empty() && !config.vocabulary.empty() &&
           (config.test_path.empty() || !config.test_text.empty());
  if (usesTokenizer(config)) return !config.text.empty() && !config.vocabulary.empty();
  return !config.text.empty() || !readsCorpus(config);
}

bool isSameTask(TaskConfig a, TaskConfig b) {
  for (TaskConfig* config : {&a, &b}) {
    config->path.clear();
    config->test_path.clear();
    config->vocabulary_path.clear();
    config->header = TableHeader::Found;
    if (!config->encoder_content.empty()) config->encoder_path.clear();
  }
  return a == b;
}

}  // namespace tfm::data
