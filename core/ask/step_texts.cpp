// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/step_texts.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "core/base/error.h"
#include "core/base/word_list.h"
#include "core/data/batches.h"
#include "core/data/number_table.h"
#include "core/train/counted_positions.h"
#include "core/train/step_parts.h"

namespace tfm::train {
namespace {

using data::Example;
using data::Framing;
using data::Ids;
using data::TaskForm;

Error noLoss(const std::string& hint) { return {"there is no loss on this text", "loss", hint}; }

/// The ids of an answer's tokens up to the first one that answers do not have, as the pad, in the
/// target vocabulary; the pad alone if there are none.
Ids targetIds(const data::TextCodec& codec, Framing framing, const AnsweredQuestion& answer) {
  const data::Vocabulary& from = data::outputVocabulary(codec, framing);
  const data::Vocabulary& to = codec.targetVocabulary();
  Ids ids;
  for (const AnswerToken& token : answer.tokens) {
    const std::int32_t id =
        framing == Framing::NextToken ? to.find(from.token(token.id)) : token.id;
    if (id < 0 || token.id == from.pad()) break;
    ids.push_back(id);
  }
  if (ids.empty()) ids.push_back(to.pad());
  return ids;
}

/// With the model's own answer.
Example ownExample(const ModelState& state, const data::TextCodec& codec, Framing framing,
                   const std::string& text, const Backend<float>& backend) {
  if (codec.form() == TaskForm::Text)
    throw noLoss("It has one token, and what follows is not known: write a longer text");
  if (framing == Framing::States) throw noLoss("The model gives no answers, only hidden states");
  if (framing == Framing::Numbers)
    throw noLoss("Its output is compared with numbers, which only a task of regression knows");
  const Ids source = codec.encodeInput(text);
  const bool masked = codec.form() == TaskForm::Masked;
  const auto hides = [&](std::int32_t id) { return codec.hides(id); };
  if (masked && std::ranges::none_of(source, hides))
    throw noLoss("No token is hidden: write [MASK] for each that the model is to fill in");
  SamplingOptions greedy;
  greedy.max_tokens =
      std::max<std::int64_t>(1, codec.maxTargetLength() - (framing == Framing::NextToken ? 1 : 0));
  const AnsweredQuestion own =
      answer(state, codec, framing, std::span(&text, 1), greedy, backend).front();
  if (framing == Framing::Seq2Seq || framing == Framing::NextToken)
    return {source, targetIds(codec, framing, own)};
  Ids target;
  if (masked) target.assign(source.size(), codec.targetVocabulary().pad());
  auto at = source.begin();
  for (const AnswerToken& token : own.tokens) {
    if (!masked) {
      target.push_back(token.id);
      continue;
    }
    at = std::find_if(at, source.end(), hides);
    target[std::size_t(at++ - source.begin())] = token.id;
  }
  return {source, target};
}

LossAnswer knownAnswer(const data::TextCodec& codec, const Example& example, const Ids& read) {
  if (codec.form() == TaskForm::Text) return LossAnswer::Next;
  return example.source == read ? LossAnswer::Right : LossAnswer::Hidden;
}

/// The tokens that the decoder reads of an example.
std::int64_t decoderTokens(const data::TextCodec& codec, Framing framing, const Example& example) {
  if (codec.form() == TaskForm::Text) return std::ssize(example.source);
  const std::int64_t answered = 1 + std::ssize(example.target);
  return framing == Framing::Seq2Seq ? answered : std::ssize(example.source) + answered;
}

/// Keeps the first `length` of `before` positions of each sequence.
template <class Element>
void shorten(std::vector<Element>& all, std::int64_t sequences, std::int64_t before,
             std::int64_t length) {
  if (all.empty() || before == length) return;
  const std::int64_t each = std::ssize(all) / (sequences * before);
  std::vector<Element> kept;
  for (std::int64_t s = 0; s < sequences; ++s) {
    const auto first = all.begin() + s * before * each;
    kept.insert(kept.end(), first, first + length * each);
  }
  all = std::move(kept);
}

/// The positions up to the last one with a weight, of rows of `length`.
std::int64_t weightedLength(const Batch& batch, std::int64_t length) {
  std::int64_t end = 0;
  for (std::int64_t i = 0; i < std::ssize(batch.label_weights); ++i)
    if (batch.label_weights[std::size_t(i)] > 0.0F) end = std::max(end, i % length + 1);
  return end;
}

/// Pads at the end matter only where they are counted, or pooled with tokens: attention hides them.
void leaveOutUnread(Batch& batch, std::int64_t longest_source, std::int64_t longest_target,
                    bool pools) {
  const std::int64_t source = batch.source_length, target = batch.target_length;
  const bool per_source = target == 0 && std::ssize(batch.labels) == batch.size * source;
  if (target > 0) {
    const std::int64_t kept =
        std::min(target, std::max(longest_target, weightedLength(batch, target)));
    shorten(batch.target, batch.size, target, kept);
    shorten(batch.labels, batch.size, target, kept);
    shorten(batch.label_weights, batch.size, target, kept);
    batch.target_length = kept;
  }
  if (source == 0 || pools || !batch.label_features.empty()) return;
  const std::int64_t kept =
      per_source ? std::max(longest_source, weightedLength(batch, source)) : longest_source;
  shorten(batch.source, batch.size, source, kept);
  shorten(batch.source_pad, batch.size, source, kept);
  shorten(batch.source_features, batch.size, source, kept);
  if (per_source) {
    shorten(batch.labels, batch.size, source, kept);
    shorten(batch.label_weights, batch.size, source, kept);
  }
  batch.source_length = kept;
}

/// The labels of a sequence's tokens, then pads.
std::vector<std::string> labelsOf(const data::Vocabulary& vocabulary, const Ids& ids,
                                  std::int64_t length) {
  std::vector<std::string> labels;
  for (std::int64_t i = 0; i < length; ++i)
    labels.push_back(i < std::ssize(ids) ? vocabulary.label(ids[std::size_t(i)]) : kPadLabel);
  return labels;
}

template <class Element>
std::vector<Element> rowOf(const std::vector<Element>& all, std::int64_t row, std::int64_t rows) {
  const std::int64_t each = std::ssize(all) / rows;
  const auto first = all.begin() + row * each;
  return {first, first + each};
}

/// One text of the batch.
ProbeInput textOf(const Batch& batch, std::int64_t at, const data::TextCodec& codec,
                  Framing framing, const std::string& question, const Example& example) {
  ProbeInput text;
  text.question = question;
  Batch& own = text.batch;
  own.size = 1;
  own.source_length = batch.source_length;
  own.target_length = batch.target_length;
  own.source = rowOf(batch.source, at, batch.size);
  own.source_pad = rowOf(batch.source_pad, at, batch.size);
  own.source_features = rowOf(batch.source_features, at, batch.size);
  own.target = rowOf(batch.target, at, batch.size);
  if (framing != Framing::NextToken) {
    text.source_labels =
        labelsOf(data::inputVocabulary(codec, framing), example.source, batch.source_length);
    text.source_pads = batch.source_length - std::ssize(example.source);
  }
  if (batch.target_length > 0) {
    const data::Vocabulary& read = framing == Framing::NextToken
                                       ? data::inputVocabulary(codec, framing)
                                       : data::outputVocabulary(codec, framing);
    const std::int64_t tokens =
        std::min(batch.target_length, decoderTokens(codec, framing, example));
    text.decoder_labels =
        labelsOf(read, Ids(own.target.begin(), own.target.begin() + tokens), batch.target_length);
    text.decoder_pads = batch.target_length - tokens;
  }
  if (framing == Framing::Seq2Seq)
    text.written_labels = labelsOf(data::outputVocabulary(codec, framing),
                                   rowOf(batch.labels, at, batch.size), batch.target_length);
  text.answer = framing == Framing::Numbers
                    ? data::numberRowsText(codec.rightNumbers(example.source),
                                           codec.targetVocabulary().size())
                    : codec.answerText(example.target);
  return text;
}

std::string comparedWith(LossAnswer answer, const std::string& text) {
  switch (answer) {
    case LossAnswer::Right:
      return "the right answer '" + text + "'";
    case LossAnswer::Own:
      return "the model's own answer '" + text + "', as the task knows no right one";
    case LossAnswer::Given:
      return "the given answer '" + text + "'";
    case LossAnswer::Next:
      return "each next token of the text";
    case LossAnswer::Hidden:
      break;
  }
  return "the tokens that evaluation hides, '" + text + "'";
}

std::string nestedWords(const ModelConfig& config, const matformer::Nesting& nesting) {
  const auto sizes = matformer::granularities(config, nesting);
  if (sizes.empty()) return "";
  if (!config.changes.empty()) return "; with interventions in force, only that of the whole model";
  const std::vector<WeightedPart> parts = partsWithWhole(config, nesting);
  if (parts.size() < 2)
    return "; of the sizes that such training draws from, that of " + parts.front().name +
           ", the whole model";
  std::vector<std::string> names;
  for (const WeightedPart& part : parts) names.push_back(part.name);
  return "; the weighted sum of those of " + wordList(names, "and");
}

}  // namespace

StepTexts stepTexts(const ModelState& state, const data::TextCodec& codec, Framing framing,
                    std::span<const std::string> texts, const Backend<float>& backend,
                    std::span<const std::string> answers) {
  StepTexts step;
  std::vector<Example> examples;
  std::int64_t longest_source = 0, longest_target = 0;
  for (const std::string& text : texts) {
    const Ids read = codec.encodeInput(text);
    if (!answers.empty()) {
      const std::string& given = answers[examples.size()];
      examples.push_back({read, givenAnswer(state, codec, framing, given)});
      step.answers.push_back(LossAnswer::Given);
    } else {
      const std::optional<Example> known =
          framing == Framing::States ? std::nullopt : codec.learned(read);
      examples.push_back(known ? *known : ownExample(state, codec, framing, text, backend));
      step.answers.push_back(known ? knownAnswer(codec, *known, read) : LossAnswer::Own);
    }
    longest_source = std::max(longest_source, std::ssize(read));
    // What follows the last token of a text may not be known, but it is read.
    if (codec.form() == TaskForm::Text) longest_target = std::max(longest_target, std::ssize(read));
  }
  Batch batch = data::batchOf(codec, framing, examples);
  leaveOutUnread(batch, longest_source, longest_target, state.config.changesLength());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    step.texts.push_back(textOf(batch, std::int64_t(i), codec, framing, texts[i], examples[i]));
    if (step.answers[i] == LossAnswer::Right) step.texts.back().read = ReadAnswer::Right;
    if (step.answers[i] == LossAnswer::Given) step.texts.back().read = ReadAnswer::Given;
    for (const auto part :
         {&ProbeInput::source_labels, &ProbeInput::decoder_labels, &ProbeInput::written_labels}) {
      const auto& labels = step.texts.back().*part;
      (step.all.*part).insert((step.all.*part).end(), labels.begin(), labels.end());
    }
  }
  step.all.question = texts.front();
  step.all.answer = step.texts.front().answer;
  step.all.read = step.texts.front().read;
  step.all.source_pads = step.texts.front().source_pads;
  step.all.decoder_pads = step.texts.front().decoder_pads;
  step.all.batch = std::move(batch);
  return step;
}

bool hasLoss(const data::TextCodec& codec, Framing framing, const std::string& text) {
  if (framing == Framing::States || !codec.canRead(text)) return false;
  const Ids read = codec.encodeInput(text);
  if (codec.form() == TaskForm::Text) return read.size() > 1;
  if (codec.form() == TaskForm::Masked &&
      std::ranges::any_of(read, [&](std::int32_t id) { return codec.hides(id); }))
    return true;
  const bool answers = framing != Framing::Numbers && codec.form() != TaskForm::Masked;
  return answers || codec.learned(read).has_value();
}

std::string lossSentence(const StepTexts& texts, const ModelConfig& config,
                         const matformer::Nesting& nesting) {
  const std::size_t count = texts.texts.size();
  const Batch& batch = texts.all.batch;
  const std::string counted = std::to_string(weightedLabels(batch));
  std::string sentence =
      "The loss is that of a training step on " +
      (count == 1 ? std::string("this text") : "these " + std::to_string(count) + " texts") +
      " alone, without dropout: a mean over " + counted +
      (batch.label_features.empty() ? weightedLabels(batch) == 1 ? " answer" : " positions"
                                    : " numbers") +
      ", against ";
  std::vector<std::string> answers;
  for (std::size_t i = 0; i < count; ++i)
    answers.push_back(comparedWith(texts.answers[i], texts.texts[i].answer));
  return sentence + wordList(answers, "and") + nestedWords(config, nesting) + '.';
}

}  // namespace tfm::train
