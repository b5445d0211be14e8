// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/generator.h"

#include <algorithm>
#include <memory>

#include "core/base/check.h"
#include "core/base/error.h"
#include "core/model/batch_inputs.h"
#include "core/model/build_program.h"

namespace tfm {
namespace {

constexpr std::uint32_t kSamplingStream = 0x2000;

/// The encoder of an encoder-decoder as a model of its own. Parameter names stay the same.
ModelConfig encoderOf(const ModelConfig& config) {
  ModelConfig c = config;
  c.architecture = Architecture::Encoder;
  c.output = OutputKind::None;
  c.tie_output = false;
  c.target_vocabulary = c.target_length = 0;
  c.decoder_layers.clear();
  return c;
}

/// Its decoder, looking at a memory from outside.
ModelConfig decoderOf(const ModelConfig& config) {
  ModelConfig c = config;
  c.architecture = Architecture::Decoder;
  c.memory_size = config.hidden;
  c.encoder_layers.clear();
  return c;
}

AlignedVector<float> pick(const ParameterLayout& part, const ParameterLayout& whole,
                          std::span<const float> parameters) {
  AlignedVector<float> values(std::size_t(part.total));
  for (const ParameterInfo& p : part.parameters) {
    const ParameterInfo* source = whole.find(p.name);
    check(source != nullptr && source->size() == p.size(), "a part's parameters are the model's");
    std::copy_n(parameters.begin() + source->offset, p.size(), values.begin() + p.offset);
  }
  return values;
}

std::shared_ptr<const Program> programFor(const ModelConfig& config, const BatchShape& shape) {
  return std::make_shared<const Program>(buildProgram(config, shape, {}));
}

}  // namespace

/// The encoder's answer to a set of prompts; empty without an encoder.
struct Generator::Encoded {
  std::int64_t length = 0;
  std::vector<std::uint8_t> pad;
  std::vector<double> states;
};

Generator::Generator(const ModelConfig& config, std::span<const float> parameters,
                     const Backend<float>& backend, std::int64_t step)
    : decoder_(config), backend_(backend) {
  position_.step = std::uint64_t(step);
  if (!config.hasDecoder() || config.output != OutputKind::Vocabulary)
    throw Error("the model has no decoder that writes tokens", "generator",
                "Use a decoder or an encoder-decoder with a vocabulary output");
  const ParameterLayout whole = parameterLayout(config);
  check(std::int64_t(parameters.size()) == whole.total, "parameters fit the model");
  if (config.hasEncoder()) {
    encoder_ = encoderOf(config);
    decoder_ = decoderOf(config);
    encoder_parameters_ = pick(parameterLayout(encoder_), whole, parameters);
  }
  decoder_parameters_ = pick(parameterLayout(decoder_), whole, parameters);
}

Generator::Encoded Generator::encode(std::span<const Prompt> prompts) const {
  Encoded encoded;
  if (encoder_parameters_.empty()) return encoded;
  for (const Prompt& p : prompts)
    encoded.length = std::max(encoded.length, std::int64_t(p.source.size()));
  const auto count = std::int64_t(prompts.size());
  Batch batch;
  batch.size = count;
  batch.source_length = encoded.length;
  batch.source.assign(std::size_t(count * encoded.length), 0);
  batch.source_pad.assign(batch.source.size(), 1);
  for (std::int64_t i = 0; i < count; ++i) {
    const auto& source = prompts[std::size_t(i)].source;
    std::copy(source.begin(), source.end(), batch.source.begin() + i * encoded.length);
    std::fill_n(batch.source_pad.begin() + i * encoded.length, source.size(), std::uint8_t{0});
  }
  Executor<float> executor(programFor(encoder_, {count, encoded.length, 0}), backend_, false);
  setInputs(executor, batch, 0);
  executor.forward(encoder_parameters_.data(), position_);
  const MatrixView<float> out = executor.values(executor.program().find(names::kOutput));
  encoded.states.assign(out.data, out.data + out.size());
  encoded.pad = std::move(batch.source_pad);
  return encoded;
}

std::vector<Answer> Generator::generate(std::span<const Prompt> prompts, std::int32_t end_token,
                                        const SamplingOptions& options,
                                        const Progress& progress) const {
  validate(options);
  std::vector<Answer> answers(prompts.size());
  if (prompts.empty()) return answers;
  const Encoded encoded = encode(prompts);
  std::vector<std::vector<std::int32_t>> written;
  for (const Prompt& p : prompts) {
    check(!p.target.empty(), "a decoder starts from at least one token");
    written.push_back(p.target);
  }
  const auto count = std::int64_t(prompts.size());
  std::unique_ptr<Executor<float>> executor;
  for (std::int64_t round = 0; round < options.most_tokens; ++round) {
    std::int64_t length = 1;
    for (const auto& w : written) length = std::max(length, std::int64_t(w.size()));
    length = std::min(length, decoder_.target_length);
    if (executor == nullptr || executor->program().shape.target_length != length)
      executor = std::make_unique<Executor<float>>(
          programFor(decoder_, {count, encoded.length, length}), backend_, false);
    Batch batch;
    batch.size = count;
    batch.source_length = encoded.length;
    batch.target_length = length;
    batch.source_pad = encoded.pad;
    batch.memory = encoded.states;
    batch.target.assign(std::size_t(count * length), 0);
    for (std::int64_t i = 0; i < count; ++i) {
      const auto& w = written[std::size_t(i)];
      const auto kept = std::min<std::int64_t>(length, std::int64_t(w.size()));
      std::copy(w.end() - kept, w.end(), batch.target.begin() + i * length);
    }
    setInputs(*executor, batch, 0);
    executor->forward(decoder_parameters_.data(), position_);
    const MatrixView<float> logits = executor->values(executor->program().find(names::kOutput));

    bool any = false;
    for (std::int64_t i = 0; i < count; ++i) {
      Answer& answer = answers[std::size_t(i)];
      if (answer.ended) continue;
      auto& w = written[std::size_t(i)];
      const std::int64_t last = std::min<std::int64_t>(length, std::int64_t(w.size())) - 1;
      const Random random(options.seed, kSamplingStream, std::uint64_t(i));
      const ChosenToken token =
          chooseToken({logits.row(i * length + last), std::size_t(logits.cols)}, options,
                      random.uniform(std::uint64_t(round)));
      answer.tokens.push_back(token.id);
      answer.probabilities.push_back(token.probability);
      answer.ended = token.id == end_token;
      w.push_back(token.id);
      any = any || !answer.ended;
    }
    const bool wanted = !progress || progress(answers);
    if (!any || !wanted) break;
  }
  return answers;
}

}  // namespace tfm
