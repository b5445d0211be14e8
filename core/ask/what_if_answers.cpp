// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/what_if_answers.h"

#include <algorithm>
#include <optional>

#include "core/ask/step_texts.h"
#include "core/ask/submodel_scorer.h"
#include "core/backend/buffer.h"
#include "core/model/batch_inputs.h"
#include "core/model/build_program.h"
#include "core/program/executor.h"
#include "core/train/fit_task.h"

namespace tfm::train {
namespace {

double lossOn(const Batch& batch, const ModelState& state, const Backend<float>& backend) {
  const bool numbers = !batch.label_features.empty();
  const auto program = std::make_shared<const Program>(
      buildProgram(state.config, {batch.size, batch.source_length, batch.target_length},
                   {.loss = true, .numbers = numbers}));
  Executor<float> executor(program, backend, false);
  setInputs(executor, batch, 0);
  const DeviceCopy<float> parameters(backend.memory(), std::span<const float>(state.parameters));
  executor.forward(parameters.data(), {0, std::uint64_t(state.step), 0});
  return double(executor.values(program->find(names::kLoss)).data[0]);
}

}  // namespace

WhatIfAnswers whatIfAnswers(const std::shared_ptr<const ModelState>& state,
                            const data::TextCodec& codec,
                            const std::shared_ptr<const data::Task>& task,
                            const std::string& question,
                            std::span<const observe::Intervention> interventions,
                            std::int64_t most_tokens, std::int64_t examples,
                            const Backend<float>& backend) {
  const auto changed =
      std::make_shared<const ModelState>(withInterventions(*state, codec, interventions, backend));
  const data::Framing framing = framingFor(state->config, codec);
  SamplingOptions greedy;
  greedy.max_tokens = std::max<std::int64_t>(1, most_tokens);
  WhatIfAnswers result;
  result.question = question;
  std::optional<StepTexts> step;
  if (hasLoss(codec, framing, question))
    step = stepTexts(*state, codec, framing, std::span(&question, 1), backend);
  if (step) result.read = step->all.read;
  const auto measure = [&](const std::shared_ptr<const ModelState>& model, WhatIfSide& side) {
    side.answer = answer(*model, codec, framing, std::span(&question, 1), greedy, backend).front();
    if (step) side.loss = lossOn(step->all.batch, *model, backend);
    if (!task || examples <= 0) return;
    SubmodelScorer scorer(task, model, examples, 1);
    side.accuracy = scorer.score({})->accuracy();
    result.examples = scorer.examples();
  };
  measure(state, result.without);
  measure(changed, result.with);
  return result;
}

}  // namespace tfm::train
