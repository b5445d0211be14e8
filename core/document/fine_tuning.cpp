// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/document/fine_tuning.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/data/features/encoder_tokens.h"
#include "core/data/self_contained.h"
#include "core/data/task_table.h"
#include "core/train/fit_task.h"
#include "core/train/masked_growth.h"

namespace tfm::train {
namespace {

/// Whether the model's texts have [CLS] and [SEP], which those of a task do not.
bool marksEnds(const data::TextCodec& codec) {
  return codec.tokenizerName() == data::EncoderTokens::kName;
}

/// Whether tasks of this kind give an encoder texts to read.
bool readsTexts(std::string_view kind) {
  return data::takesTokenizer(kind) && data::findTask(kind).form != data::TaskForm::Sequence;
}

void requireSameReading(const data::TextCodec& codec, const data::TextCodec& task) {
  const std::string_view tokenizer =
      marksEnds(codec) ? tokenizerName(data::TokenizerKind::WordPiece) : codec.tokenizerName();
  const bool same =
      task.tokenizerName() == tokenizer && task.sourceVocabulary() == codec.sourceVocabulary() &&
      task.tokenizerRules() == codec.tokenizerRules() && task.clean() == codec.clean();
  if (same) return;
  throw Error("the task '" + task.name() + "' has other tokens than the model", "fine-tuning",
              readsTexts(task.name())
                  ? "Give texts of its own with --data and no other tokenizer or vocabulary: they "
                    "are then read as the model reads them"
                  : "Choose a task whose texts can be read as the model reads them: sentiment, "
                    "classes or masked");
}

}  // namespace

bool canBeFineTuned(const ModelConfig& config) {
  return config.architecture == Architecture::Encoder && config.input == InputKind::Tokens;
}

data::TaskConfig taskToFineTune(const data::TextCodec& codec, data::TaskConfig task) {
  if (!readsTexts(task.kind)) return task;
  task.max_length = std::min(task.max_length, codec.maxSourceLength());
  return data::readingLike(codec, std::move(task));
}

ModelConfig modelToFineTune(const ModelConfig& model, std::int64_t step,
                            const data::TextCodec& codec, const data::TextCodec& task) {
  if (!canBeFineTuned(model))
    throw Error("this model cannot begin another task with its weights", "fine-tuning",
                "Only encoders that read tokens can. Begin a new model for the task");
  if (step < maskEnd(model))
    throw Error("the model is still growing into components that its norms mask", "fine-tuning",
                "Train it until step " + std::to_string(maskEnd(model)));
  requireSameReading(codec, task);
  ModelConfig tuned = model;
  tuned.mask_size = 0;  // steps count from 0 again
  tuned.output = task.form() == data::TaskForm::Classes ? OutputKind::Classes : OutputKind::Labels;
  // The head for hidden tokens is of no use for other answers.
  if (task.form() != data::TaskForm::Masked) tuned.tie_output = tuned.output_transform = false;
  tuned.output_size = data::sizesOf(task, framingFor(tuned, task)).outputs;
  checkFit(tuned, task);
  return tuned;
}

FineTuning fineTuned(const Document& document, const data::TaskConfig& task,
                     const TrainConfig& train) {
  const ModelState& before = document.state;
  const auto codec = makeCodec(document);
  const auto made = data::makeTask(task);
  FineTuning tuning;
  tuning.document =
      newDocument(modelToFineTune(before.config, before.step, *codec, *made), task, train);
  tuning.tokens = made->sourceVocabulary().size();
  tuning.without_ends = marksEnds(*codec);
  ModelState& after = tuning.document.state;
  const bool same_answers = after.config.output == before.config.output &&
                            made->targetVocabulary() == codec->targetVocabulary();
  for (const ParameterInfo& to : after.layout.parameters) {
    const ParameterInfo* from = before.layout.find(to.name);
    const bool output = to.tag.part == ParameterPart::Output && to.tag.site == Site{};
    const bool kept = from != nullptr && (!output || same_answers);
    (kept ? tuning.kept : tuning.anew) += to.size();
    if (kept)
      std::copy_n(before.parameters.begin() + from->offset, to.size(),
                  after.parameters.begin() + to.offset);
  }
  return tuning;
}

std::string describe(const FineTuning& tuning) {
  const std::string output =
      tuning.anew == 0 ? std::string()
                       : "the output layer (" + std::to_string(tuning.anew) + " parameters), ";
  return "it keeps " + std::to_string(tuning.kept) +
         " parameters, its tokenizer and its vocabulary of " + std::to_string(tuning.tokens) +
         " tokens" + (tuning.without_ends ? ", read without [CLS] and [SEP]; " : "; ") + output +
         "the optimizer, steps and measurements begin anew";
}

}  // namespace tfm::train
