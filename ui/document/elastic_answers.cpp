// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/elastic_answers.h"

#include <algorithm>
#include <span>

#include "core/backend/registry.h"
#include "core/matformer/extract.h"
#include "core/train/fit_task.h"

namespace tfm::ui {
namespace {

constexpr std::int64_t kLongestAnswer = 48;  // of a text that would go on; a row holds no more

std::int64_t maxTokens(const ElasticQuestion& question) {
  return std::clamp<std::int64_t>(question.state->config.target_length, 1, kLongestAnswer);
}

}  // namespace

ElasticAnswers answerBySubmodels(const ElasticQuestion& in) {
  ElasticAnswers out{in.question, in.submodels, in.task->form() == data::TaskForm::Text, {}};
  const std::string question = in.question.toStdString();
  SamplingOptions greedy;
  greedy.max_tokens = maxTokens(in);
  try {
    const auto backend = makeBackend<float>();
    const data::Framing framing = train::framingFor(in.state->config, *in.task);
    for (SubmodelAnswer& one : out.answers) {
      const ModelState part = matformer::extract(*in.state, one.submodel);
      one.answer =
          train::answer(part, *in.task, framing, std::span(&question, 1), greedy, *backend).front();
    }
  } catch (const Error& problem) {
    out.answers.clear();
    out.problem = problem;
  }
  return out;
}

ElasticDraft answerWithDraft(const ElasticQuestion& in) {
  ElasticDraft out{in.submodels.front().name, in.submodels.back().name, false, {}, {}};
  QString question = in.question;
  const auto room = std::max<qsizetype>(1, in.state->config.target_length - maxTokens(in));
  if (in.task->form() == data::TaskForm::Text && question.size() > room) {
    question = question.right(room);
    out.shortened = true;
  }
  train::DraftOptions options;
  options.max_tokens = maxTokens(in);
  try {
    const auto backend = makeBackend<float>();
    out.drafted = train::answerWithDraft(
        *in.state, *in.task, train::framingFor(in.state->config, *in.task), question.toStdString(),
        in.submodels.front().submodel, options, *backend);
  } catch (const Error& problem) {
    out.problem = problem;
  }
  return out;
}

}  // namespace tfm::ui
