// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/framing.h"

#include <algorithm>
#include <array>
#include <string>

#include "core/base/check.h"
#include "core/base/error.h"
#include "core/data/features/batch_features.h"
#include "core/data/features/text_features.h"

namespace tfm::data {
namespace {

std::size_t positions(std::int64_t length, std::int64_t batch_size) {
  return static_cast<std::size_t>(length * batch_size);
}

void appendPadded(std::span<const std::int32_t> ids, std::int64_t length, std::int32_t pad,
                  std::vector<std::int32_t>& row_after_row) {
  const auto missing = length - static_cast<std::int64_t>(ids.size());
  check(missing >= 0, "an example must fit the lengths of its task");
  row_after_row.insert(row_after_row.end(), ids.begin(), ids.end());
  row_after_row.insert(row_after_row.end(), static_cast<std::size_t>(missing), pad);
}

void appendSource(const Task& task, const Example& example, Batch& batch) {
  const std::int64_t length = batch.source_length;
  appendPadded(example.source, length, task.sourceVocabulary().pad(), batch.source);
  const auto used = static_cast<std::int64_t>(example.source.size());
  for (std::int64_t i = 0; i < length; ++i) batch.source_pad.push_back(i >= used);
}

/// The padding token. Text has none; any token will do, since the causal mask hides it.
std::int32_t fillerOf(const Vocabulary& vocabulary) { return std::max(vocabulary.pad(), 0); }

/// Appends one row of labels with weights 0 and 1: `skipped` ignored positions, the answer, pads.
void appendLabels(std::span<const std::int32_t> answer, std::int64_t skipped, std::int64_t length,
                  std::int32_t pad, LossPositions counted, Batch& batch) {
  Ids row(static_cast<std::size_t>(skipped), pad);
  row.insert(row.end(), answer.begin(), answer.end());
  appendPadded(row, length, pad, batch.labels);
  const auto first_pad = static_cast<std::int64_t>(row.size());
  std::int64_t end = counted == LossPositions::All ? length : first_pad + 1;
  if (answer.empty()) end = 0;
  for (std::int64_t i = 0; i < length; ++i)
    batch.label_weights.push_back(i >= skipped && i < end ? 1.0F : 0.0F);
}

void normaliseWeights(Batch& batch) {
  const auto counted = std::count(batch.label_weights.begin(), batch.label_weights.end(), 1.0F);
  for (float& weight : batch.label_weights)
    if (weight > 0) weight /= static_cast<float>(counted);
}

void appendSeq2Seq(const Task& task, const Example& example, Batch& batch) {
  const Vocabulary& vocabulary = task.targetVocabulary();
  const auto most = static_cast<std::size_t>(batch.target_length);
  Ids input{vocabulary.start()};
  input.insert(input.end(), example.target.begin(), example.target.end());
  appendSource(task, example, batch);
  appendPadded(std::span(input).first(std::min(input.size(), most)), batch.target_length,
               vocabulary.pad(), batch.target);
  appendLabels(example.target, 0, batch.target_length, vocabulary.pad(),
               task.config().loss_positions, batch);
}

void appendTokenLabels(const Task& task, const Example& example, Batch& batch) {
  appendSource(task, example, batch);
  appendLabels(example.target, 0, batch.source_length, task.targetVocabulary().pad(),
               task.config().loss_positions, batch);
}

void appendNextToken(const Task& task, const Example& example, Batch& batch) {
  const std::int32_t pad = fillerOf(task.jointVocabulary().vocabulary());
  Ids input = decoderPrompt(task, Framing::NextToken, example.source);
  std::int64_t skipped = 0;
  if (task.form() != TaskForm::Text) {
    skipped = static_cast<std::int64_t>(example.source.size());  // the start token's answer counts
    const Ids answer = task.jointVocabulary().fromTarget(example.target);
    input.insert(input.end(), answer.begin(), answer.end());
  }
  appendPadded(input, batch.target_length, pad, batch.target);
  appendLabels(task.jointVocabulary().fromTarget(example.target), skipped, batch.target_length, pad,
               task.config().loss_positions, batch);
}

void appendClasses(const Task& task, const Example& example, Batch& batch) {
  check(example.target.size() <= 1, "a question has one class");
  appendSource(task, example, batch);
  batch.labels.push_back(example.target.empty() ? 0 : example.target.front());
  batch.label_weights.push_back(example.target.empty() ? 0.0F : 1.0F);
}

void requirePossible(const Task& task, Framing framing) {
  const std::span<const Framing> possible = framingsOf(task.form());
  if (std::find(possible.begin(), possible.end(), framing) == possible.end())
    throw Error("the task " + task.name() + " cannot be learnt by this architecture", "task.kind",
                "Text needs a decoder, classes an encoder, and labels for every token need answers "
                "as long as the questions.");
}

}  // namespace

std::span<const Framing> framingsOf(TaskForm form) {
  static constexpr std::array kSequence{Framing::Seq2Seq, Framing::NextToken};
  static constexpr std::array kSameLength{Framing::Seq2Seq, Framing::TokenLabels,
                                          Framing::NextToken};
  static constexpr std::array kText{Framing::NextToken};
  static constexpr std::array kClasses{Framing::Classes};
  switch (form) {
    case TaskForm::Sequence:
      return kSequence;
    case TaskForm::SameLength:
      return kSameLength;
    case TaskForm::Text:
      return kText;
    case TaskForm::Classes:
      return kClasses;
  }
  return {};
}

FramedSizes sizesOf(const Task& task, Framing framing) {
  requirePossible(task, framing);
  FramedSizes sizes;
  sizes.outputs = outputVocabulary(task, framing).size();
  if (framing == Framing::NextToken) {
    // Question, start, answer and final pad, which is only a label.
    sizes.target_length = task.form() == TaskForm::Text
                              ? task.maxSourceLength()
                              : task.maxSourceLength() + task.maxTargetLength();
    sizes.target_vocabulary = sizes.outputs;
    return sizes;
  }
  sizes.source_length = task.maxSourceLength();
  if (const TextFeatures* features = task.features())
    sizes.source_features = features->width();
  else
    sizes.source_vocabulary = task.sourceVocabulary().size();
  if (framing == Framing::Seq2Seq) {
    sizes.target_length = task.maxTargetLength();
    sizes.target_vocabulary = task.targetVocabulary().size();
  }
  return sizes;
}

const Vocabulary& inputVocabulary(const Task& task, Framing framing) {
  return framing == Framing::NextToken ? task.jointVocabulary().vocabulary()
                                       : task.sourceVocabulary();
}

const Vocabulary& outputVocabulary(const Task& task, Framing framing) {
  return framing == Framing::NextToken ? task.jointVocabulary().vocabulary()
                                       : task.targetVocabulary();
}

Batch frame(const Task& task, Framing framing, std::span<const Example> examples,
            std::int64_t source_length) {
  FramedSizes sizes = sizesOf(task, framing);
  check(source_length == 0 || framing != Framing::NextToken, "a framing with an encoder");
  if (source_length > 0) sizes.source_length = source_length;
  Batch batch;
  batch.size = static_cast<std::int64_t>(examples.size());
  batch.source_length = sizes.source_length;
  batch.target_length = sizes.target_length;
  batch.source.reserve(positions(sizes.source_length, batch.size));
  batch.source_pad.reserve(positions(sizes.source_length, batch.size));
  batch.target.reserve(positions(sizes.target_length, batch.size));
  const std::int64_t label_length = framing == Framing::Classes ? 1
                                    : sizes.target_length > 0   ? sizes.target_length
                                                                : sizes.source_length;
  batch.labels.reserve(positions(label_length, batch.size));
  batch.label_weights.reserve(positions(label_length, batch.size));

  const auto append = framing == Framing::Seq2Seq       ? appendSeq2Seq
                      : framing == Framing::TokenLabels ? appendTokenLabels
                      : framing == Framing::NextToken   ? appendNextToken
                                                        : appendClasses;
  for (const Example& example : examples) append(task, example, batch);
  normaliseWeights(batch);
  useFeatures(task, batch);
  return batch;
}

Ids decoderPrompt(const Task& task, Framing framing, std::span<const std::int32_t> source) {
  if (framing == Framing::Seq2Seq) return {task.targetVocabulary().start()};
  check(framing == Framing::NextToken, "a framing with a decoder");
  Ids prompt = task.jointVocabulary().fromSource(source);
  if (task.form() != TaskForm::Text) prompt.push_back(task.jointVocabulary().vocabulary().start());
  return prompt;
}

}  // namespace tfm::data
