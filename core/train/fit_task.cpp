// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/fit_task.h"

#include <algorithm>
#include <string>
#include <utility>

#include "core/base/error.h"
#include "core/data/task_table.h"

namespace tfm::train {
namespace {

/// Whether a model is only looked at. One with random features shows its output as states, each
/// number of which the codec must name.
bool isAskedNothing(const ModelConfig& config, const data::TextCodec& codec) {
  if (codec.form() != data::TaskForm::None) return false;
  if (config.output == OutputKind::None) return true;
  return config.architecture == Architecture::Encoder && codec.drawn().width > 0 &&
         codec.targetVocabulary().size() == config.output_size;
}

data::Framing naturalFraming(const ModelConfig& config, const data::TextCodec& codec) {
  const bool writes = config.hasDecoder();
  if (!writes && codec.form() == data::TaskForm::Numbers) return data::Framing::Numbers;
  if (config.hasDecoder())
    return config.hasCrossAttention() ? data::Framing::Seq2Seq : data::Framing::NextToken;
  if (config.output == OutputKind::None) return data::Framing::States;
  return config.output == OutputKind::Classes ? data::Framing::Classes : data::Framing::TokenLabels;
}

/// Whether there is a state for every position of the input: none was pooled, or all were brought
/// back.
bool keepsPositions(const ModelConfig& config) {
  constexpr std::int64_t kLong = 1 << 20;  // enough for any pooling
  return encodedLength(config, kLong) == kLong;
}

/// Whether the model gives as many rows of numbers as the codec asks for: one for each position, or
/// one for the whole question.
bool givesNumbers(const ModelConfig& config, const data::TextCodec& codec) {
  const bool one = codec.maxTargetLength() == 1;
  const bool each = codec.maxTargetLength() == codec.maxSourceLength();
  return config.output == OutputKind::Classes ? one : each;
}

/// What to choose instead where a model cannot answer in a form.
std::string choiceFor(data::TaskForm form) {
  if (form == data::TaskForm::Masked)
    return "Hidden tokens are filled in at their own positions: choose an encoder with the output "
           "labels, such as the preset masked-encoder";
  if (form == data::TaskForm::Numbers)
    return "Rows of numbers are answered by an encoder: one row at each position with the output "
           "labels or none, such as the preset encoder-layer-notebook, one for all with classes";
  return "Choose another task, or an architecture with the output it needs";
}

}  // namespace

data::Framing framingFor(const ModelConfig& config, const data::TextCodec& codec) {
  const bool nothing = isAskedNothing(config, codec);
  const bool numbers = codec.form() == data::TaskForm::Numbers;
  const bool input = config.input == InputKind::Tokens || codec.featureWidth() > 0;
  const bool ends =
      nothing || (numbers && givesNumbers(config, codec)) ||
      (!numbers && config.output != OutputKind::None && codec.form() != data::TaskForm::None);
  const bool whole = numbers || config.architecture != Architecture::Attention;
  const bool one_hot = config.memory_size == 0 || codec.featureWidth() == 0;
  const bool answers = input && ends && whole && one_hot;
  const data::Framing framing = nothing && config.architecture == Architecture::Encoder
                                    ? data::Framing::States
                                    : naturalFraming(config, codec);
  const auto possible = data::framingsOf(codec.form());
  if (!answers || std::find(possible.begin(), possible.end(), framing) == possible.end())
    throw Error(
        "this model cannot learn the task '" + codec.name() + "'", "architecture and output",
        answers ? choiceFor(codec.form()) : "Choose a model with token input and an output");
  const bool each =
      framing == data::Framing::TokenLabels || (numbers && config.output != OutputKind::Classes);
  if (each && !keepsPositions(config))
    throw Error("this model cannot learn the task '" + codec.name() +
                    "': its states are pooled, so there is none for every position",
                "encoder_layers",
                "Choose an encoder whose last layers up-sample (before: upsample), such as the "
                "preset funnel-tagger, or a task of classes");
  return framing;
}

OutputKind outputFor(const ModelConfig& config, const data::TextCodec& codec) {
  if (config.hasDecoder()) return OutputKind::Vocabulary;
  if (codec.form() == data::TaskForm::Classes) return OutputKind::Classes;
  if (codec.form() != data::TaskForm::Numbers) return OutputKind::Labels;
  if (codec.maxTargetLength() < codec.maxSourceLength()) return OutputKind::Classes;
  return config.output == OutputKind::None ? OutputKind::None : OutputKind::Labels;
}

void fitToTask(ModelConfig& config, const data::TextCodec& codec) {
  const data::FramedSizes sizes = data::sizesOf(codec, framingFor(config, codec));
  config.input = sizes.source_features > 0 ? InputKind::Features : InputKind::Tokens;
  config.feature_size = sizes.source_features;
  config.hidden = std::max(config.hidden, sizes.source_features);
  // Its states are the answer; those beyond are asked to be 0.
  if (config.output == OutputKind::None) config.hidden = std::max(config.hidden, sizes.outputs);
  config.source_vocabulary = sizes.source_vocabulary;
  config.target_vocabulary = sizes.target_vocabulary;
  // A decoder alone attends to the tokens of the question themselves.
  if (config.memory_size > 0) config.memory_size = std::exchange(config.source_vocabulary, 0);
  config.source_length = sizes.source_length;
  config.target_length = sizes.target_length;
  config.output_size = config.output == OutputKind::Vocabulary ? 0 : sizes.outputs;
}

data::TaskConfig taskLike(const ModelConfig& config, data::TaskConfig task) {
  if (data::findTask(task.kind).form != data::TaskForm::Numbers) return task;
  if (config.input != InputKind::Features) return task;
  task.feature_width = config.featureWidth();
  task.target_width = config.output_size > 0 ? config.output_size : config.hidden;
  task.max_length = std::max<std::int64_t>(config.source_length, 2);
  return task;
}

void checkFit(const ModelConfig& config, const data::TextCodec& codec) {
  ModelConfig fitted = config;
  fitToTask(fitted, codec);
  const auto refuse = [&](const char* field, std::int64_t value, const std::string& wanted) {
    throw Error(std::string(field) + " is " + std::to_string(value), "model config",
                "The task '" + codec.name() + "' needs " + wanted);
  };
  const auto same = [&](const char* field, std::int64_t value, std::int64_t wanted) {
    if (wanted > 0 && value != wanted) refuse(field, value, std::to_string(wanted));
  };
  const auto enough = [&](const char* field, std::int64_t value, std::int64_t wanted) {
    if (value < wanted) refuse(field, value, "at least " + std::to_string(wanted));
  };
  same("feature_size", config.featureWidth(), fitted.featureWidth());
  same("memory_size", config.memory_size, fitted.memory_size);
  same("source_vocabulary", config.source_vocabulary, fitted.source_vocabulary);
  same("target_vocabulary", config.target_vocabulary, fitted.target_vocabulary);
  same("output_size", config.output_size, fitted.output_size);
  enough("source_length", config.source_length, fitted.source_length);
  enough("target_length", config.target_length, fitted.target_length);
}

void requireSuits(const ModelConfig& config, const data::TextCodec& codec,
                  const data::TextCodec& task) {
  checkFit(config, task);
  const auto require = [&](bool same, const char* what) {
    if (!same)
      throw Error("the task '" + task.name() + "' has other " + what + " than the model",
                  "the task to give",
                  "Give data like the data the model has learned from, or start a new model");
  };
  require(task.tokenizerName() == codec.tokenizerName(), "tokenizer");
  require(task.sourceVocabulary() == codec.sourceVocabulary(), "tokens");
  require(task.targetVocabulary() == codec.targetVocabulary(),
          task.form() == data::TaskForm::Classes ? "classes" : "tokens in its answers");
}

Error noTask() {
  return {"this model has no task to learn", "training",
          "Give it one: train --resume with --task or --data, or New Run in the window. Without "
          "one, it can be used, grown and exported"};
}

std::int32_t endLabel(const data::TextCodec& codec, data::Framing framing) {
  if (framing == data::Framing::Classes || framing == data::Framing::States ||
      framing == data::Framing::Numbers)
    return -1;
  return data::outputVocabulary(codec, framing).pad();
}

}  // namespace tfm::train
