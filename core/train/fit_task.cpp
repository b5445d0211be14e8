// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/fit_task.h"

#include <algorithm>
#include <string>

#include "core/base/error.h"

namespace tfm::train {
namespace {

data::Framing naturalFraming(const ModelConfig& config) {
  if (config.architecture == Architecture::EncoderDecoder) return data::Framing::Seq2Seq;
  if (config.architecture == Architecture::Decoder) return data::Framing::NextToken;
  return config.output == OutputKind::Classes ? data::Framing::Classes : data::Framing::TokenLabels;
}

/// Width of the features that the model reads; 0 if it reads tokens.
std::int64_t featureWidth(const ModelConfig& config) {
  if (config.input == InputKind::Tokens) return 0;
  return config.feature_size > 0 ? config.feature_size : config.hidden;
}

}  // namespace

data::Framing framingFor(const ModelConfig& config, const data::Task& task) {
  const bool input = config.input == InputKind::Tokens || task.features() != nullptr;
  const bool answers = input && config.output != OutputKind::None && config.memory_size == 0 &&
                       config.architecture != Architecture::Attention;
  const data::Framing framing = naturalFraming(config);
  const auto possible = data::framingsOf(task.form());
  if (!answers || std::find(possible.begin(), possible.end(), framing) == possible.end())
    throw Error("this model cannot learn the task '" + task.name() + "'", "architecture and output",
                answers ? "Choose another task, or an architecture with the output it needs"
                        : "Choose a model with token input and an output");
  return framing;
}

void fitToTask(ModelConfig& config, const data::Task& task) {
  const data::FramedSizes sizes = data::sizesOf(task, framingFor(config, task));
  config.input = sizes.source_features > 0 ? InputKind::Features : InputKind::Tokens;
  config.feature_size = sizes.source_features;
  config.hidden = std::max(config.hidden, sizes.source_features);
  config.source_vocabulary = sizes.source_vocabulary;
  config.target_vocabulary = sizes.target_vocabulary;
  config.source_length = sizes.source_length;
  config.target_length = sizes.target_length;
  config.output_size = config.output == OutputKind::Vocabulary ? 0 : sizes.outputs;
}

void checkFit(const ModelConfig& config, const data::Task& task) {
  ModelConfig fitted = config;
  fitToTask(fitted, task);
  const auto refuse = [&](const char* field, std::int64_t value, const std::string& wanted) {
    throw Error(std::string(field) + " is " + std::to_string(value), "model config",
                "The task '" + task.name() + "' needs " + wanted);
  };
  const auto same = [&](const char* field, std::int64_t value, std::int64_t wanted) {
    if (wanted > 0 && value != wanted) refuse(field, value, std::to_string(wanted));
  };
  const auto enough = [&](const char* field, std::int64_t value, std::int64_t wanted) {
    if (value < wanted) refuse(field, value, "at least " + std::to_string(wanted));
  };
  same("feature_size", featureWidth(config), featureWidth(fitted));
  same("source_vocabulary", config.source_vocabulary, fitted.source_vocabulary);
  same("target_vocabulary", config.target_vocabulary, fitted.target_vocabulary);
  same("output_size", config.output_size, fitted.output_size);
  enough("source_length", config.source_length, fitted.source_length);
  enough("target_length", config.target_length, fitted.target_length);
}

std::int32_t endLabel(const data::Task& task, data::Framing framing) {
  if (framing == data::Framing::Classes) return -1;
  return data::outputVocabulary(task, framing).pad();
}

}  // namespace tfm::train
