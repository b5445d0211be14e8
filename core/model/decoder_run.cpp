// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/decoder_run.h"

#include <algorithm>
#include <iterator>

#include "core/base/check.h"
#include "core/base/error.h"
#include "core/model/batch_inputs.h"
#include "core/model/build_program.h"

namespace tfm {
namespace {

// Texts are padded to a multiple of this, so that a program serves several rounds. The causal mask
// hides the padding.
constexpr std::int64_t kLengthStep = 8;
// Of kept texts, at most so many tokens are read in a run, and programs for up to so few are kept.
constexpr std::int64_t kMostAtOnce = 256, kFewAtOnce = 8;

/// The encoder of an encoder-decoder as a separate model with the same parameter names.
ModelConfig encoderOf(const ModelConfig& config) {
  ModelConfig c = config;
  c.architecture = Architecture::Encoder;
  c.output = OutputKind::None;
  c.tie_output = c.output_transform = false;
  c.target_vocabulary = c.target_length = 0;
  c.decoder_layers.clear();
  return c;
}

/// The decoder of an encoder-decoder, reading an external encoder output.
ModelConfig decoderOf(const ModelConfig& config) {
  ModelConfig c = config;
  c.architecture = Architecture::Decoder;
  c.memory_size = config.hidden;
  c.source_length = encodedLength(config, config.source_length);
  c.encoder_layers.clear();
  return c;
}

/// The entries of layers first to first + count - 1.
Submodel layersOf(const Submodel& whole, std::size_t first, std::size_t count) {
  const auto part = [&](const std::vector<std::int64_t>& sizes) {
    if (sizes.empty()) return sizes;
    const auto begin = sizes.begin() + std::ptrdiff_t(first);
    return std::vector<std::int64_t>(begin, begin + std::ptrdiff_t(count));
  };
  return {part(whole.widths), part(whole.heads)};
}

AlignedVector<float> pick(const ParameterLayout& part, const ParameterLayout& whole,
                          std::span<const float> parameters) {
  AlignedVector<float> values(std::size_t(part.total));
  for (const ParameterInfo& p : part.parameters) {
    const ParameterInfo* source = whole.find(p.name);
    check(source != nullptr && source->size() == p.size(), "a part's parameters are the model's");
    std::ranges::copy(parameters.subspan(std::size_t(source->offset), std::size_t(p.size())),
                      values.begin() + p.offset);
  }
  return values;
}

std::shared_ptr<const Program> programFor(const ModelConfig& config, const Submodel& submodel,
                                          const BatchShape& shape) {
  ProgramOptions options;
  options.submodel = submodel;
  return std::make_shared<const Program>(buildProgram(config, shape, options));
}

std::int64_t roundedUp(std::int64_t size, std::int64_t step) {
  return (size + step - 1) / step * step;
}

/// The prompts' sources, padded to the longest, or to `length`.
Batch sourcesOf(std::span<const Prompt> prompts, std::int64_t length = 0) {
  Batch batch;
  batch.size = std::int64_t(prompts.size());
  batch.source_length = length;
  for (const Prompt& p : prompts)
    batch.source_length = std::max(batch.source_length, std::int64_t(p.source.size()));
  batch.source.resize(std::size_t(batch.size * batch.source_length));
  batch.source_pad.assign(batch.source.size(), 1);
  for (std::int64_t i = 0; i < batch.size; ++i) {
    const auto& source = prompts[std::size_t(i)].source;
    const auto first = batch.source.begin() + i * batch.source_length;
    std::copy(source.begin(), source.end(), first);
    std::fill(first + std::ssize(source), first + batch.source_length, prompts[std::size_t(i)].pad);
    std::fill_n(batch.source_pad.begin() + i * batch.source_length, source.size(), std::uint8_t{0});
  }
  return batch;
}

}  // namespace

GenerativeModel::GenerativeModel(const ModelConfig& config, std::span<const float> parameters,
                                 const Backend<float>& backend, std::int64_t step,
                                 const Submodel& submodel)
    : backend_(backend) {
  position_.step = std::uint64_t(step);
  if (!config.hasDecoder() || config.output != OutputKind::Vocabulary)
    throw Error("the model cannot generate tokens", "generator",
                "Use a decoder or encoder-decoder with vocabulary output");
  validate(config, submodel);
  const ParameterLayout whole = parameterLayout(config);
  check(std::int64_t(parameters.size()) == whole.total, "parameters fit the model");
  const auto half = [&](const ModelConfig& part, std::size_t first, std::size_t layers) {
    Half result{part, layersOf(submodel, first, layers)};
    if (config.hasEncoder()) result.picked = pick(parameterLayout(part), whole, parameters);
    result.parameters.emplace(
        backend.memory(), config.hasEncoder() ? std::span<const float>(result.picked) : parameters);
    return result;
  };
  const std::size_t encoder_layers = config.encoder_layers.size();
  if (config.hasEncoder()) encoder_ = half(encoderOf(config), 0, encoder_layers);
  decoder_ = half(config.hasEncoder() ? decoderOf(config) : config, encoder_layers,
                  config.decoder_layers.size());
}

DecoderRun::DecoderRun(const GenerativeModel& model, std::span<const Prompt> prompts,
                       std::int64_t longest, std::int64_t texts_each)
    : model_(model) {
  batch_.size = std::int64_t(prompts.size()) * texts_each;
  if (prompts.empty()) return;
  if (model.encoder_.parameters) {
    encode(prompts, texts_each);
  } else if (model.decoder_.config.hasCrossAttention()) {
    // Each text attends to the tokens themselves.
    std::vector<Prompt> each;
    for (const Prompt& prompt : prompts) each.insert(each.end(), std::size_t(texts_each), prompt);
    batch_ = sourcesOf(each);
  }
  read_.resize(std::size_t(batch_.size));
  if (model.decoder_.config.changes.empty())
    kept_ = roundedUp(std::min(longest, model.window()), kKeptStep);
}

void DecoderRun::encode(std::span<const Prompt> prompts, std::int64_t texts_each) {
  const ModelConfig& encoder = model_.encoder_.config;
  // As in training: pooling may drop the last position, which is padding then.
  const Batch batch = sourcesOf(prompts, encoder.changesLength() ? encoder.source_length : 0);
  Executor<float> executor(
      programFor(encoder, model_.encoder_.submodel, {batch.size, batch.source_length, 0}),
      model_.backend_, false);
  setInputs(executor, batch, 0);
  executor.forward(model_.encoder_.parameters->data(), model_.position_);
  const MatrixView<const float> out = executor.values(executor.program().find(names::kOutput));
  const std::span<const std::int32_t> pads =
      executor.ids(executor.program().find(names::kOutputPad));
  const auto states = out.size() / batch.size, length = std::ssize(pads) / batch.size;
  for (std::int64_t i = 0; i < batch.size; ++i)
    for (std::int64_t text = 0; text < texts_each; ++text) {
      const float* of_prompt = out.data + i * states;
      batch_.memory.insert(batch_.memory.end(), of_prompt, of_prompt + states);
      const auto pad = pads.begin() + i * length;
      batch_.source_pad.insert(batch_.source_pad.end(), pad, pad + length);
    }
  batch_.source_length = length;
}

void DecoderRun::read(Texts texts, std::int64_t answers) {
  check(std::int64_t(texts.size()) == batch_.size, "all texts of the prompts");
  std::int64_t longest = 1;
  for (const auto& text : texts) {
    check(std::ssize(text) >= answers && answers >= 1, "a text has the tokens that are asked for");
    longest = std::max(longest, std::ssize(text));
  }
  if (longest <= std::min(kept_, model_.window())) return readNew(texts, answers);
  if (kept_ > 0) {
    executors_.clear();
    states_ = {};
    kept_ = 0;
  }
  readAll(texts, longest);
}

void DecoderRun::readAll(Texts texts, std::int64_t longest) {
  std::int64_t length = std::min(roundedUp(longest, kLengthStep), model_.window());
  // A text that became shorter, as rejected drafts do, keeps its program.
  const std::int64_t before = executors_.empty() ? 0 : executors_.begin()->first;
  if (before > length && before <= length + kLengthStep) length = before;
  batch_.target_length = length;
  batch_.target.assign(std::size_t(batch_.size * length), 0);
  last_.clear();
  for (std::int64_t i = 0; i < batch_.size; ++i) {
    const auto& text = texts[std::size_t(i)];
    const auto kept = std::min(length, std::int64_t(text.size()));
    std::copy(text.end() - kept, text.end(), batch_.target.begin() + i * length);
    last_.push_back(i * length + kept - 1);
  }
  if (before != length) executors_.clear();
  now_ = &executorFor(length, 0);
  setInputs(*now_, batch_, 0);
  now_->forward(model_.decoder_.parameters->data(), model_.position_);
}

void DecoderRun::readNew(Texts texts, std::int64_t answers) {
  // Of each text, the first token to read.
  std::vector<std::int64_t> first;
  std::int64_t most = 1;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto same = std::ranges::mismatch(texts[i], read_[i]).in1 - texts[i].begin();
    first.push_back(std::min<std::int64_t>(same, std::ssize(texts[i]) - answers));
    most = std::max(most, std::ssize(texts[i]) - first.back());
    read_[i] = texts[i];
  }
  const std::int64_t step = most <= kFewAtOnce ? 1 : kLengthStep;
  const std::int64_t length = std::min(
      {roundedUp(most, step), model_.window(), std::max(kMostAtOnce, roundedUp(answers, step))});
  const std::int64_t runs = (most + length - 1) / length;
  now_ = &executorFor(length, kept_);
  batch_.target_length = length;
  batch_.target.resize(std::size_t(batch_.size * length));
  std::vector<std::int32_t> places(batch_.target.size());
  // All texts end in the last run. Rows in front of a text's first new token are that token again.
  for (std::int64_t run = 0; run < runs; ++run) {
    for (std::int64_t i = 0; i < batch_.size; ++i) {
      const auto& text = texts[std::size_t(i)];
      for (std::int64_t r = 0; r < length; ++r) {
        const std::int64_t place =
            std::max(std::ssize(text) - (runs - run) * length + r, first[std::size_t(i)]);
        batch_.target[std::size_t(i * length + r)] = text[std::size_t(place)];
        places[std::size_t(i * length + r)] = std::int32_t(place);
      }
    }
    setInputs(*now_, batch_, 0);
    now_->upload(now_->program().find(names::kTargetPlaces), places);
    now_->forward(model_.decoder_.parameters->data(), model_.position_);
  }
  last_.clear();
  for (std::int64_t i = 0; i < batch_.size; ++i) last_.push_back((i + 1) * length - 1);
}

Executor<float>& DecoderRun::executorFor(std::int64_t length, std::int64_t kept) {
  // What many tokens need is much, and needed once.
  std::erase_if(executors_,
                [&](const auto& one) { return one.first > kFewAtOnce && one.first != length; });
  auto& executor = executors_[length];
  if (executor != nullptr) return *executor;
  const auto program = programFor(model_.decoder_.config, model_.decoder_.submodel,
                                  {batch_.size, batch_.source_length, length, kept});
  if (states_.empty()) states_ = {model_.backend_.memory(), std::size_t(program->state_size)};
  executor = std::make_unique<Executor<float>>(program, model_.backend_, false, states_.data());
  if (kept > 0 && batch_.source_length > 0) giveMemory(*executor);
  return *executor;
}

/// Uploads the keys and values of the memory, computed by a run that keeps nothing.
void DecoderRun::giveMemory(Executor<float>& executor) {
  if (memory_ == nullptr) {
    memory_ = std::make_unique<Executor<float>>(
        programFor(model_.decoder_.config, model_.decoder_.submodel,
                   {batch_.size, batch_.source_length, 1}),
        model_.backend_, false);
    Batch batch = batch_;
    batch.target_length = 1;
    batch.target.assign(std::size_t(batch.size), 0);
    setInputs(*memory_, batch, 0);
    memory_->forward(model_.decoder_.parameters->data(), model_.position_);
  }
  const Program& program = executor.program();
  for (std::size_t id = 0; id < program.tensors.size(); ++id) {
    if (program.tensors[id].role != Role::Input) continue;
    const MatrixView<const float> values =
        memory_->values(memory_->program().find(program.tensors[id].name));
    executor.upload(TensorId(id), std::span(values.data, std::size_t(values.size())));
  }
}

std::int64_t DecoderRun::length() const {
  check(now_ != nullptr, "a text has been read");
  return now_->program().shape.target_length;
}

std::span<const float> DecoderRun::next(std::size_t text, std::int64_t before_last) {
  check(now_ != nullptr && text < last_.size(), "the text has been read");
  const MatrixView<const float> logits = now_->values(now_->program().find(names::kOutput));
  const std::int64_t row = last_[text] - before_last;
  check(row >= std::int64_t(text) * batch_.target_length, "the token is in the window");
  return {logits.row(row), std::size_t(logits.cols)};
}

}  // namespace tfm
