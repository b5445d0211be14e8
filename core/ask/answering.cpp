// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/answering.h"

#include <algorithm>
#include <limits>

#include "core/base/check.h"
#include "core/base/error.h"
#include "core/data/batches.h"
#include "core/data/features/batch_features.h"
#include "core/data/number_table.h"
#include "core/model/build_program.h"
#include "core/model/generator.h"
#include "core/train/clock.h"

namespace tfm::train {
namespace {

using data::Framing;

/// The numbers that answer a question, in the first rows; grown states have others behind them.
std::string answeredNumbers(const data::TextCodec& codec, const observe::Observed& output,
                            std::int64_t rows) {
  const std::int64_t width = std::min(codec.targetVocabulary().size(), output.cols);
  std::vector<double> numbers;
  for (std::int64_t r = 0; r < rows; ++r)
    for (std::int64_t c = 0; c < width; ++c)
      numbers.push_back(double(output.values[std::size_t(r * output.cols + c)]));
  return data::numberRowsText(numbers, width);
}

/// Labels or classes: one forward pass, the most probable answer at each position, or at each
/// hidden one. No answer: nothing but reading the question.
AnsweredQuestion readOff(const ModelState& state, const data::TextCodec& codec, Framing framing,
                         const std::string& question, bool keep_logits,
                         const Backend<float>& backend) {
  const data::Example asked{codec.encodeInput(question), {}};
  if (framing == Framing::States) return {question, "", {}, state.step};
  const Batch batch = data::batchOf(codec, framing, std::span(&asked, 1));
  observe::Probe probe(state.config, batch, backend);
  const std::string name(names::kOutput);
  const TensorId id = probe.program().find(name);
  const std::string& path = probe.program().tensors[std::size_t(id)].name;
  const observe::Observed logits =
      probe.run(state.parameters, batch, path, std::uint64_t(state.step)).at(path);
  const auto positions =
      framing == Framing::Classes ? 1 : std::min(logits.rows, std::int64_t(asked.source.size()));
  const data::Vocabulary& vocabulary = data::outputVocabulary(codec, framing);
  AnsweredQuestion result{question, "", {}, state.step};
  if (framing == Framing::Numbers) {
    result.answer = answeredNumbers(codec, logits, positions);
    return result;
  }
  data::Ids ids;
  for (std::int64_t r = 0; r < positions; ++r) {
    if (codec.form() == data::TaskForm::Masked && !codec.hides(asked.source[std::size_t(r)]))
      continue;
    const auto row =
        std::span(logits.values).subspan(std::size_t(r * logits.cols), std::size_t(logits.cols));
    const ChosenToken token = chooseToken(row, {}, 0.0);
    ids.push_back(token.id);
    result.tokens.push_back({vocabulary.label(token.id), token.probability, token.id});
    if (keep_logits)
      result.logits.push_back(std::make_shared<const std::vector<float>>(row.begin(), row.end()));
  }
  result.answer = codec.answerText(ids);
  return result;
}

Prompt promptOf(const data::TextCodec& codec, Framing framing, const std::string& question) {
  const data::Ids source = codec.encodeInput(question);
  return {framing == Framing::Seq2Seq ? source : data::Ids{},
          data::decoderPrompt(codec, framing, source),
          {},
          data::inputVocabulary(codec, framing).pad()};
}

/// The tokens of an answer without the one that ends it.
std::span<const std::int32_t> textOf(std::span<const std::int32_t> tokens, bool ended) {
  return tokens.first(tokens.size() - (ended ? 1 : 0));
}

/// Adds to `words` the tokens of the answer that it does not have yet.
void addWords(const data::Vocabulary& vocabulary, const Answer& answer, AnsweredQuestion& words) {
  const std::size_t known = words.tokens.size();
  const auto text = textOf(answer.tokens, answer.ended);
  words.answer += vocabulary.decode(text.subspan(std::min(known, text.size())));
  for (std::size_t i = known; i < answer.tokens.size(); ++i)
    words.tokens.push_back(
        {vocabulary.label(answer.tokens[i]), answer.probabilities[i], answer.tokens[i]});
  const auto& logits = answer.logits;
  for (std::size_t i = words.logits.size(); i < logits.size(); ++i)
    words.logits.push_back(logits[i]);
  const auto forgotten = [](const auto& each) { return each == nullptr; };
  auto kept = std::partition_point(logits.begin(), logits.end(), forgotten) - logits.begin();
  while (kept > 0 && words.logits[std::size_t(kept - 1)]) words.logits[std::size_t(--kept)].reset();
}

std::vector<Answer> write(const ModelState& state, const data::TextCodec& codec, Framing framing,
                          std::span<const std::string> questions, const data::Ids& written,
                          const SamplingOptions& options, const Backend<float>& backend,
                          const Generator::Progress& progress) {
  std::vector<Prompt> prompts;
  for (const std::string& question : questions) {
    prompts.push_back(promptOf(codec, framing, question));
    prompts.back().written = written;
  }
  const Generator generator(state.config, state.parameters, backend, state.step);
  return generator.generate(prompts, data::endTokens(codec, framing), options, progress);
}

/// The right answer and the pad that ends it; empty if the task does not know it or it is longer
/// than the model allows.
data::Ids rightTokens(const ModelState& state, const data::TextCodec& codec,
                      const data::Ids& source) {
  data::Ids tokens = codec.rightAnswer(source).value_or(data::Ids{});
  if (tokens.empty() || std::ssize(tokens) >= state.config.target_length) return {};
  tokens.push_back(codec.targetVocabulary().pad());
  return tokens;
}

std::vector<std::string> labelsOf(const data::Vocabulary& vocabulary,
                                  std::span<const std::int32_t> ids) {
  std::vector<std::string> labels;
  for (const std::int32_t id : ids) labels.push_back(vocabulary.label(id));
  return labels;
}

/// As training pads a text alone: an encoder that pools mixes pads with tokens.
void padSource(ProbeInput& input, const data::TextCodec& codec, Framing framing) {
  Batch& batch = input.batch;
  const std::int64_t tokens = batch.source_length;
  batch.source_length = data::sourceLength(codec, framing, tokens);
  const auto length = std::size_t(batch.source_length);
  batch.source.resize(length, codec.sourceVocabulary().pad());
  batch.source_pad.resize(length, 1);
  input.source_labels.resize(length, kPadLabel);
  input.source_pads = batch.source_length - tokens;
}

template <class Work>
double secondsOf(const Work& work) {
  const double begin = now();
  work();
  return now() - begin;
}

bool writes(Framing framing) {
  return framing == Framing::Seq2Seq || framing == Framing::NextToken;
}

}  // namespace

std::vector<AnsweredQuestion> answer(const ModelState& state, const data::TextCodec& codec,
                                     Framing framing, std::span<const std::string> questions,
                                     const SamplingOptions& options, const Backend<float>& backend,
                                     const AnswerProgress& progress, const data::Ids& written) {
  std::vector<AnsweredQuestion> result;
  if (!writes(framing)) {
    for (const std::string& question : questions)
      result.push_back(readOff(state, codec, framing, question, options.keep_logits, backend));
    return result;
  }
  const data::Vocabulary& vocabulary = data::outputVocabulary(codec, framing);
  for (const std::string& question : questions) result.push_back({question, "", {}, state.step});
  // Only new tokens are decoded: the cost per token does not grow with the text.
  const auto add = [&](const std::vector<Answer>& answers) {
    for (std::size_t i = 0; i < questions.size(); ++i) addWords(vocabulary, answers[i], result[i]);
  };
  Generator::Progress report;
  if (progress)
    report = [&](const std::vector<Answer>& answers) {
      add(answers);
      return progress(result);
    };
  add(write(state, codec, framing, questions, written, options, backend, report));
  return result;
}

std::vector<std::vector<BeamAnswer>> answerWithBeams(const ModelState& state,
                                                     const data::TextCodec& codec, Framing framing,
                                                     std::span<const std::string> questions,
                                                     const BeamOptions& options,
                                                     const Backend<float>& backend,
                                                     const BeamProgress& progress) {
  const GenerativeModel model(state.config, state.parameters, backend, state.step);
  const data::Vocabulary& vocabulary = data::outputVocabulary(codec, framing);
  std::vector<Prompt> prompts;
  for (const std::string& question : questions)
    prompts.push_back(promptOf(codec, framing, question));
  std::vector<std::vector<BeamAnswer>> result;
  for (const std::vector<Beam>& beams :
       beamSearch(model, prompts, data::endTokens(codec, framing), options, progress)) {
    std::vector<BeamAnswer>& answers = result.emplace_back();
    for (const Beam& beam : beams) {
      BeamAnswer& answer = answers.emplace_back();
      answer.answer = vocabulary.decode(textOf(beam.tokens, beam.ended));
      for (std::size_t i = 0; i < beam.tokens.size(); ++i)
        answer.tokens.push_back(
            {vocabulary.label(beam.tokens[i]), beam.probabilities[i], beam.tokens[i]});
      answer.log_probability = beam.log_probability;
      answer.score = beam.score;
      answer.ended = beam.ended;
    }
  }
  return result;
}

DraftedQuestion answerWithDraft(const ModelState& state, const data::TextCodec& codec,
                                Framing framing, const std::string& question, const Submodel& draft,
                                const DraftOptions& options, const Backend<float>& backend) {
  constexpr int kRuns = 3;
  const Generator plain(state.config, state.parameters, backend, state.step);
  const matformer::SpeculativeDecoder writer(state.config, state.parameters, backend, state.step,
                                             draft);
  const Prompt prompt = promptOf(codec, framing, question);
  const data::Vocabulary& vocabulary = data::outputVocabulary(codec, framing);
  const EndTokens ends = data::endTokens(codec, framing);
  SamplingOptions greedy;
  greedy.max_tokens = options.max_tokens;

  DraftedQuestion result;
  Answer alone;
  result.seconds = result.plain_seconds = std::numeric_limits<double>::infinity();
  for (int run = 0; run < kRuns; ++run) {
    const auto write_alone = [&] { alone = plain.generate({&prompt, 1}, ends, greedy).front(); };
    const auto write_drafted = [&] {
      result.drafted = writer.write(prompt, ends, options.max_tokens, options.draft_tokens);
    };
    result.plain_seconds = std::min(result.plain_seconds, secondsOf(write_alone));
    result.seconds = std::min(result.seconds, secondsOf(write_drafted));
  }
  result.answered = {question, "", {}, state.step};
  addWords(vocabulary, result.drafted.answer, result.answered);
  result.plain_passes = std::int64_t(alone.tokens.size());
  result.same = result.drafted.answer.tokens == alone.tokens;
  return result;
}

data::Ids givenAnswer(const ModelState& state, const data::TextCodec& codec, Framing framing,
                      const std::string& answer) {
  if (framing != Framing::Seq2Seq)
    throw Error("this model reads no answer", "answer",
                framing == Framing::NextToken ? "It continues the text: give the whole as its input"
                                              : "Only a decoder behind an encoder reads one");
  data::Ids tokens = codec.encodeAnswer(answer);
  if (std::ssize(tokens) >= state.config.target_length)
    throw Error("the answer has " + std::to_string(tokens.size()) + " tokens, at most " +
                    std::to_string(state.config.target_length - 1) + " are allowed",
                "answer", "Shorten it");
  return tokens;
}

ProbeInput probeInput(const ModelState& state, const data::TextCodec& codec, Framing framing,
                      const std::string& question, const Backend<float>& backend, ReadAnswer read,
                      const AnsweredQuestion* own, const std::string& given) {
  data::Ids given_tokens;
  if (read == ReadAnswer::Given) given_tokens = givenAnswer(state, codec, framing, given);
  ProbeInput input;
  input.question = question;
  const data::Ids source = codec.encodeInput(question);
  Batch& batch = input.batch;
  batch.size = 1;
  if (framing != Framing::NextToken) {
    batch.source = source;
    batch.source_length = std::int64_t(source.size());
    batch.source_pad.assign(source.size(), 0);
    input.source_labels = labelsOf(data::inputVocabulary(codec, framing), source);
    if (state.config.changesLength()) padSource(input, codec, framing);
    data::useFeatures(codec, batch);
  }
  if (!writes(framing)) {
    const std::string one[] = {question};
    const AnsweredQuestion read_off =
        own != nullptr ? *own : answer(state, codec, framing, one, {}, backend).front();
    input.answer = read_off.answer;
    return input;
  }
  // The decoder reads its prompt and the answer except its last token.
  batch.target = data::decoderPrompt(codec, framing, source);
  if (framing == Framing::Seq2Seq) {
    const data::Vocabulary& vocabulary = data::outputVocabulary(codec, framing);
    data::Ids written;
    if (read == ReadAnswer::Right) written = rightTokens(state, codec, source);
    const auto most = state.config.target_length;
    const bool known = own != nullptr && (own->tokens.back().id == vocabulary.pad() ||
                                          std::ssize(own->tokens) == most);
    if (read == ReadAnswer::Given) {
      written = std::move(given_tokens);
      written.push_back(vocabulary.pad());
    }
    if (!written.empty()) {
      input.read = read;
    } else if (known) {
      for (const AnswerToken& token : own->tokens) written.push_back(token.id);
    } else {
      SamplingOptions greedy;
      greedy.max_tokens = most;
      const std::string one[] = {question};
      written = write(state, codec, framing, one, {}, greedy, backend, {}).front().tokens;
    }
    input.answer = vocabulary.decode(written);
    batch.target.insert(batch.target.end(), written.begin(), written.end() - 1);
    input.decoder_labels = labelsOf(vocabulary, batch.target);
    input.written_labels = labelsOf(vocabulary, written);
  } else {
    const auto longest = std::size_t(state.config.target_length);
    if (batch.target.size() > longest)
      batch.target.erase(batch.target.begin(), batch.target.end() - std::ptrdiff_t(longest));
    input.decoder_labels = labelsOf(data::inputVocabulary(codec, framing), batch.target);
  }
  batch.target_length = std::int64_t(batch.target.size());
  return input;
}

namespace {

/// The labels of what each position holds.
std::vector<std::string> labelsOf(const std::vector<std::string>& labels,
                                  const std::shared_ptr<const observe::Held>& held,
                                  std::int64_t positions) {
  auto all = held ? observe::heldLabels(labels, *held) : labels;
  return std::ssize(all) == positions ? all : std::vector<std::string>{};
}

}  // namespace

std::vector<std::string> queryLabels(const ProbeInput& probe, const observe::AttentionSite& site) {
  const std::vector<std::string>* labels = &probe.source_labels;
  if (site.kind == observe::AttentionKind::DecoderSelf) labels = &probe.decoder_labels;
  if (site.kind == observe::AttentionKind::Cross) labels = &probe.written_labels;
  return labelsOf(*labels, site.queries, site.shape.queries);
}

std::vector<std::string> keyLabels(const ProbeInput& probe, const observe::AttentionSite& site) {
  const bool own = site.kind == observe::AttentionKind::DecoderSelf;
  return labelsOf(own ? probe.decoder_labels : probe.source_labels, site.keys, site.shape.keys);
}

}  // namespace tfm::train
