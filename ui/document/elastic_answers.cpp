// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/elastic_answers.h"

#include <algorithm>
#include <span>

#include "core/backend/registry.h"
#include "core/matformer/extract.h"
#include "core/train/fit_task.h"

namespace tfm::ui {
namespace {

constexpr std::int64_t kMaxText = 48;  // of a text that would go on

/// As long as the task's longest answer.
std::int64_t maxTokens(const ElasticQuestion& question) {
  const bool goes_on = question.codec->form() == data::TaskForm::Text;
  const auto longest = std::max<std::int64_t>(1, question.state->config.target_length);
  return goes_on ? std::min(longest, kMaxText) : longest;
}

}  // namespace

ElasticAnswers answerBySubmodels(const ElasticQuestion& in) {
  ElasticAnswers out{in.question, in.submodels, in.codec->form() == data::TaskForm::Text, {}};
  const std::string question = in.question.toStdString();
  SamplingOptions greedy;
  greedy.max_tokens = maxTokens(in);
  out.problem = problemOf([&] {
    const auto backend = makeBackend<float>();
    const data::Framing framing = train::framingFor(in.state->config, *in.codec);
    for (SubmodelAnswer& one : out.answers) {
      const ModelState part = matformer::extract(*in.state, one.submodel);
      one.answer =
          train::answer(part, *in.codec, framing, std::span(&question, 1), greedy, *backend)
              .front();
    }
  });
  if (out.problem) out.answers.clear();
  return out;
}

ElasticDraft answerWithDraft(const ElasticQuestion& in) {
  ElasticDraft out{in.submodels.front().name, in.submodels.back().name, false, {}, {}};
  QString question = in.question;
  const auto room = std::max<qsizetype>(1, in.state->config.target_length - maxTokens(in));
  if (in.codec->form() == data::TaskForm::Text && question.size() > room) {
    question = question.right(room);
    out.shortened = true;
  }
  train::DraftOptions options;
  options.max_tokens = maxTokens(in);
  out.problem = problemOf([&] {
    const auto backend = makeBackend<float>();
    out.drafted = train::answerWithDraft(
        *in.state, *in.codec, train::framingFor(in.state->config, *in.codec),
        question.toStdString(), in.submodels.front().submodel, options, *backend);
  });
  return out;
}

}  // namespace tfm::ui
