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

}  // namespace

data::Framing framingFor(const ModelConfig& config, const data::Task& task) {
  const bool tokens = config.input == InputKind::Tokens && config.output != OutputKind::None &&
                      config.memory_size == 0 && config.architecture != Architecture::Attention;
  const data::Framing framing = naturalFraming(config);
  const auto possible = data::framingsOf(task.form());
  if (!tokens || std::find(possible.begin(), possible.end(), framing) == possible.end())
    throw Error(
        "this model cannot learn the task '" + task.name() + "'", "architecture and output",
        tokens ? "Choose another task, or an architecture that gives the kind of answer it wants"
               : "Choose a model that reads tokens and gives an answer");
  return framing;
}

void fitToTask(ModelConfig& config, const data::Task& task) {
  const data::FramedSizes sizes = data::sizesOf(task, framingFor(config, task));
  config.source_vocabulary = sizes.source_vocabulary;
  config.target_vocabulary = sizes.target_vocabulary;
  config.source_length = sizes.source_length;
  config.target_length = sizes.target_length;
  config.output_size = config.output == OutputKind::Vocabulary ? 0 : sizes.outputs;
}

std::int32_t endLabel(const data::Task& task, data::Framing framing) {
  if (framing == data::Framing::Classes) return -1;
  return data::outputVocabulary(task, framing).pad();
}

}  // namespace tfm::train
