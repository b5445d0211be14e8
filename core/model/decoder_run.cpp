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

/// The encoder of an encoder-decoder as a separate model with the same parameter names.
ModelConfig encoderOf(const ModelConfig& config) {
  ModelConfig c = config;
  c.architecture = Architecture::Encoder;
  c.output = OutputKind::None;
  c.tie_output = false;
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

Buffer<float> pick(const ParameterLayout& part, const ParameterLayout& whole,
                   std::span<const float> parameters, const DeviceMemory& memory) {
  Buffer<float> values(memory, std::size_t(part.total));
  for (const ParameterInfo& p : part.parameters) {
    const ParameterInfo* source = whole.find(p.name);
    check(source != nullptr && source->size() == p.size(), "a part's parameters are the model's");
    values.upload(parameters.subspan(std::size_t(source->offset), std::size_t(p.size())),
                  std::size_t(p.offset));
  }
  return values;
}

std::unique_ptr<Executor<float>> executorFor(const ModelConfig& config, const Submodel& submodel,
                                             const BatchShape& shape,
                                             const Backend<float>& backend) {
  ProgramOptions options;
  options.submodel = submodel;
  return std::make_unique<Executor<float>>(
      std::make_shared<const Program>(buildProgram(config, shape, options)), backend, false);
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
    return Half{part, layersOf(submodel, first, layers),
                pick(parameterLayout(part), whole, parameters, backend.memory())};
  };
  const std::size_t encoder_layers = config.encoder_layers.size();
  if (config.hasEncoder()) encoder_ = half(encoderOf(config), 0, encoder_layers);
  decoder_ = half(config.hasEncoder() ? decoderOf(config) : config, encoder_layers,
                  config.decoder_layers.size());
}

DecoderRun::DecoderRun(const GenerativeModel& model, std::span<const Prompt> prompts,
                       std::int64_t texts_each)
    : model_(model) {
  batch_.size = std::int64_t(prompts.size()) * texts_each;
  if (prompts.empty()) return;
  if (!model.encoder_.parameters.empty()) {
    encode(prompts, texts_each);
  } else if (model.decoder_.config.hasCrossAttention()) {
    // Each text attends to the tokens themselves.
    std::vector<Prompt> each;
    for (const Prompt& prompt : prompts) each.insert(each.end(), std::size_t(texts_each), prompt);
    batch_ = sourcesOf(each);
  }
}

void DecoderRun::encode(std::span<const Prompt> prompts, std::int64_t texts_each) {
  const ModelConfig& encoder = model_.encoder_.config;
  // As in training: pooling may drop the last position, which is padding then.
  const Batch batch = sourcesOf(prompts, encoder.changesLength() ? encoder.source_length : 0);
  const auto executor = executorFor(encoder, model_.encoder_.submodel,
                                    {batch.size, batch.source_length, 0}, model_.backend_);
  setInputs(*executor, batch, 0);
  executor->forward(model_.encoder_.parameters.data(), model_.position_);
  const MatrixView<const float> out = executor->values(executor->program().find(names::kOutput));
  const std::span<const std::int32_t> pads =
      executor->ids(executor->program().find(names::kOutputPad));
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

void DecoderRun::read(std::span<const std::vector<std::int32_t>> texts) {
  check(std::int64_t(texts.size()) == batch_.size, "all texts of the prompts");
  std::int64_t longest = 1;
  for (const auto& text : texts) longest = std::max(longest, std::int64_t(text.size()));
  const std::int64_t steps = (longest + kLengthStep - 1) / kLengthStep;
  std::int64_t length = std::min(steps * kLengthStep, model_.window());
  // A text that became shorter, as rejected drafts do, keeps its program.
  if (executor_ != nullptr && this->length() > length && this->length() <= length + kLengthStep)
    length = this->length();
  batch_.target_length = length;
  batch_.target.assign(std::size_t(batch_.size * length), 0);
  last_.clear();
  for (std::int64_t i = 0; i < batch_.size; ++i) {
    const auto& text = texts[std::size_t(i)];
    check(!text.empty(), "a prompt has at least one target token");
    const auto kept = std::min(length, std::int64_t(text.size()));
    std::copy(text.end() - kept, text.end(), batch_.target.begin() + i * length);
    last_.push_back(i * length + kept - 1);
  }
  if (executor_ == nullptr || this->length() != length)
    executor_ = executorFor(model_.decoder_.config, model_.decoder_.submodel,
                            {batch_.size, batch_.source_length, length}, model_.backend_);
  setInputs(*executor_, batch_, 0);
  executor_->forward(model_.decoder_.parameters.data(), model_.position_);
}

std::int64_t DecoderRun::length() const {
  check(executor_ != nullptr, "a text has been read");
  return executor_->program().shape.target_length;
}

std::span<const float> DecoderRun::next(std::size_t text, std::int64_t before_last) {
  check(executor_ != nullptr && text < last_.size(), "the text has been read");
  const MatrixView<const float> logits =
      executor_->values(executor_->program().find(names::kOutput));
  const std::int64_t row = last_[text] - before_last;
  check(row >= std::int64_t(text) * batch_.target_length, "the token is in the window");
  return {logits.row(row), std::size_t(logits.cols)};
}

}  // namespace tfm
