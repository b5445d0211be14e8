// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/framing.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "core/base/check.h"
#include "core/base/error.h"
#include "core/data/features/batch_features.h"

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

void appendSource(const TextCodec& codec, const Example& example, Batch& batch) {
  const std::int64_t length = batch.source_length;
  appendPadded(example.source, length, codec.sourceVocabulary().pad(), batch.source);
  const auto used = static_cast<std::int64_t>(example.source.size());
  for (std::int64_t i = 0; i < length; ++i) batch.source_pad.push_back(i >= used);
}

/// The padding token. Text has none; any token will do, since the causal mask hides it.
std::int32_t fillerOf(const Vocabulary& vocabulary) { return std::max(vocabulary.pad(), 0); }

/// Appends one row of labels with weights 0 and 1: `skipped` ignored positions, the answer, pads.
/// `counted`: of the pads; nullopt: none of them, since they end no answer.
void appendLabels(std::span<const std::int32_t> answer, std::int64_t skipped, std::int64_t length,
                  std::int32_t pad, std::optional<LossPositions> counted, Batch& batch) {
  Ids row(static_cast<std::size_t>(skipped), pad);
  row.insert(row.end(), answer.begin(), answer.end());
  appendPadded(row, length, pad, batch.labels);
  // A model's own answer may be empty: its pad alone.
  const auto first_pad = std::find(row.begin() + skipped, row.end(), pad) - row.begin();
  std::int64_t end = std::ssize(row);
  if (counted) end = *counted == LossPositions::All ? length : first_pad + 1;
  if (answer.empty()) end = 0;
  for (std::int64_t i = 0; i < length; ++i)
    batch.label_weights.push_back(i >= skipped && i < end ? 1.0F : 0.0F);
}

void normaliseWeights(Batch& batch) {
  const auto counted = std::count(batch.label_weights.begin(), batch.label_weights.end(), 1.0F);
  for (float& weight : batch.label_weights)
    if (weight > 0) weight /= static_cast<float>(counted);
}

void appendSeq2Seq(const TextCodec& codec, const Example& example, Batch& batch) {
  const Vocabulary& vocabulary = codec.targetVocabulary();
  const auto most = static_cast<std::size_t>(batch.target_length);
  Ids input{vocabulary.start()};
  input.insert(input.end(), example.target.begin(), example.target.end());
  appendSource(codec, example, batch);
  appendPadded(std::span(input).first(std::min(input.size(), most)), batch.target_length,
               vocabulary.pad(), batch.target);
  appendLabels(example.target, 0, batch.target_length, vocabulary.pad(), codec.lossPositions(),
               batch);
}

void appendTokenLabels(const TextCodec& codec, const Example& example, Batch& batch) {
  appendSource(codec, example, batch);
  appendLabels(example.target, 0, batch.source_length, codec.targetVocabulary().pad(),
               codec.lossPositions(), batch);
}

/// Only hidden tokens count, which are those with a label.
void appendHidden(const TextCodec& codec, const Example& example, Batch& batch) {
  const std::int32_t pad = codec.targetVocabulary().pad();
  const auto first = std::ssize(batch.labels);
  appendSource(codec, example, batch);
  appendPadded(example.target, batch.source_length, pad, batch.labels);
  for (std::size_t i = std::size_t(first); i < batch.labels.size(); ++i)
    batch.label_weights.push_back(batch.labels[i] == pad ? 0.0F : 1.0F);
}

void appendNextToken(const TextCodec& codec, const Example& example, Batch& batch) {
  const std::int32_t pad = fillerOf(codec.jointVocabulary().vocabulary());
  Ids input = decoderPrompt(codec, Framing::NextToken, example.source);
  std::int64_t skipped = 0;
  if (codec.form() != TaskForm::Text) {
    skipped = static_cast<std::int64_t>(example.source.size());  // the start token's answer counts
    const Ids answer = codec.jointVocabulary().fromTarget(example.target);
    input.insert(input.end(), answer.begin(), answer.end());
  }
  appendPadded(input, batch.target_length, pad, batch.target);
  // Text goes on where a window ends.
  std::optional<LossPositions> counted;
  if (codec.form() != TaskForm::Text) counted = codec.lossPositions();
  appendLabels(codec.jointVocabulary().fromTarget(example.target), skipped, batch.target_length,
               pad, counted, batch);
}

void appendClasses(const TextCodec& codec, const Example& example, Batch& batch) {
  check(example.target.size() <= 1, "a question has one class");
  appendSource(codec, example, batch);
  batch.labels.push_back(example.target.empty() ? 0 : example.target.front());
  batch.label_weights.push_back(example.target.empty() ? 0.0F : 1.0F);
}

/// Nothing is answered.
void appendSourceAlone(const TextCodec& codec, const Example& example, Batch& batch) {
  appendSource(codec, example, batch);
}

/// All questions of a batch have the same length.
void appendNumbers(const TextCodec& codec, const Example& example, Batch& batch) {
  appendSource(codec, example, batch);
  const std::vector<double> right = codec.rightNumbers(example.source);
  batch.label_features.insert(batch.label_features.end(), right.begin(), right.end());
  batch.label_tolerance = codec.tolerance();
}

void requirePossible(const TextCodec& codec, Framing framing) {
  const std::span<const Framing> possible = framingsOf(codec.form());
  if (std::find(possible.begin(), possible.end(), framing) == possible.end())
    throw Error("the task " + codec.name() + " cannot be learned by this architecture", "task.kind",
                "Text needs a decoder, classes an encoder, labels for every token need answers as "
                "long as the questions, and hidden tokens an encoder with such labels.");
}

}  // namespace

std::span<const Framing> framingsOf(TaskForm form) {
  static constexpr std::array kSequence{Framing::Seq2Seq, Framing::NextToken};
  static constexpr std::array kSameLength{Framing::Seq2Seq, Framing::TokenLabels,
                                          Framing::NextToken};
  static constexpr std::array kText{Framing::NextToken};
  static constexpr std::array kMasked{Framing::TokenLabels};
  static constexpr std::array kClasses{Framing::Classes};
  static constexpr std::array kNone{Framing::States};
  static constexpr std::array kNumbers{Framing::Numbers};
  switch (form) {
    case TaskForm::Sequence:
      return kSequence;
    case TaskForm::SameLength:
      return kSameLength;
    case TaskForm::Text:
      return kText;
    case TaskForm::Masked:
      return kMasked;
    case TaskForm::Classes:
      return kClasses;
    case TaskForm::Numbers:
      return kNumbers;
    case TaskForm::None:
      return kNone;
  }
  return {};
}

FramedSizes sizesOf(const TextCodec& codec, Framing framing) {
  requirePossible(codec, framing);
  FramedSizes sizes;
  sizes.outputs = outputVocabulary(codec, framing).size();
  if (framing == Framing::NextToken) {
    // Question, start, answer and final pad, which is only a label.
    sizes.target_length = codec.form() == TaskForm::Text
                              ? codec.maxSourceLength()
                              : codec.maxSourceLength() + codec.maxTargetLength();
    sizes.target_vocabulary = sizes.outputs;
    return sizes;
  }
  sizes.source_length = codec.maxSourceLength();
  sizes.source_features = codec.featureWidth();
  if (sizes.source_features == 0) sizes.source_vocabulary = codec.sourceVocabulary().size();
  if (framing == Framing::Seq2Seq) {
    sizes.target_length = codec.maxTargetLength();
    sizes.target_vocabulary = codec.targetVocabulary().size();
  }
  return sizes;
}

const Vocabulary& inputVocabulary(const TextCodec& codec, Framing framing) {
  return framing == Framing::NextToken ? codec.jointVocabulary().vocabulary()
                                       : codec.sourceVocabulary();
}

const Vocabulary& outputVocabulary(const TextCodec& codec, Framing framing) {
  return framing == Framing::NextToken ? codec.jointVocabulary().vocabulary()
                                       : codec.targetVocabulary();
}

Ids endTokens(const TextCodec& codec, Framing framing) {
  Ids ends = codec.ends();
  ends.push_back(outputVocabulary(codec, framing).pad());
  return ends;
}

Batch frame(const TextCodec& codec, Framing framing, std::span<const Example> examples,
            std::int64_t source_length) {
  FramedSizes sizes = sizesOf(codec, framing);
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

  const auto append = codec.form() == TaskForm::Masked  ? appendHidden
                      : framing == Framing::Seq2Seq     ? appendSeq2Seq
                      : framing == Framing::TokenLabels ? appendTokenLabels
                      : framing == Framing::NextToken   ? appendNextToken
                      : framing == Framing::Classes     ? appendClasses
                      : framing == Framing::Numbers     ? appendNumbers
                                                        : appendSourceAlone;
  for (const Example& example : examples) append(codec, example, batch);
  normaliseWeights(batch);
  useFeatures(codec, batch);
  return batch;
}

Ids decoderPrompt(const TextCodec& codec, Framing framing, std::span<const std::int32_t> source) {
  if (framing == Framing::Seq2Seq) return {codec.targetVocabulary().start()};
  check(framing == Framing::NextToken, "a framing with a decoder");
  Ids prompt = codec.jointVocabulary().fromSource(source);
  if (codec.form() != TaskForm::Text)
    prompt.push_back(codec.jointVocabulary().vocabulary().start());
  return prompt;
}

}  // namespace tfm::data
