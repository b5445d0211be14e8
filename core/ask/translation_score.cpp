// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/translation_score.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <unordered_map>
#include <utility>

#include "core/ask/answering.h"
#include "core/base/error.h"
#include "core/train/clock.h"
#include "core/train/fit_task.h"

namespace tfm::train {
namespace {

constexpr std::int64_t kRows = 128;  // of a batch: questions times beams

/// The different held-out questions of a task and their answers, in the order of the task.
TranslationScore questionsOf(const data::Task& task, std::int64_t most) {
  TranslationScore score;
  std::unordered_map<std::string, std::size_t> places;
  const std::int64_t count = task.exampleCount(data::Split::Evaluation);
  for (std::int64_t i = 0; i < count; ++i) {
    const auto index = std::uint64_t(i);
    std::string question = task.questionText(data::Split::Evaluation, 0, index);
    auto known = places.find(question);
    if (known == places.end()) {
      if (most > 0 && std::ssize(score.questions) == most) continue;
      known = places.emplace(question, score.questions.size()).first;
      score.questions.push_back(std::move(question));
      score.translations.emplace_back();
    }
    score.translations[known->second].references.push_back(
        task.rightAnswerText(data::Split::Evaluation, 0, index));
  }
  return score;
}

/// Questions of similar length are neighbours, so that a batch has little padding.
std::vector<std::size_t> byLength(const std::vector<std::string>& questions) {
  std::vector<std::size_t> order(questions.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return questions[i].size(); });
  return order;
}

/// Drops all questions but those at these places, whose order stays.
void keepOnly(std::vector<std::size_t> places, TranslationScore& score) {
  std::ranges::sort(places);
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (i == places[i]) continue;
    score.questions[i] = std::move(score.questions[places[i]]);
    score.translations[i] = std::move(score.translations[places[i]]);
  }
  score.questions.resize(places.size());
  score.translations.resize(places.size());
}

}  // namespace

TranslationScore scoreTranslations(const ModelState& state, const data::Task& task,
                                   BeamOptions options, std::int64_t most,
                                   const Backend<float>& backend,
                                   const TranslationProgress& progress) {
  if (task.form() != data::TaskForm::Sequence || task.exampleCount(data::Split::Evaluation) == 0)
    throw Error("the task '" + task.name() + "' has no held-out texts and translations", "BLEU",
                "Choose a task of pairs, from a table with two columns");
  options.max_tokens = task.maxTargetLength();
  const data::Framing framing = framingFor(state.config, task);
  TranslationScore score = questionsOf(task, most);
  score.asked = std::ssize(score.questions);
  std::vector<std::size_t> order = byLength(score.questions);
  validate(options);
  const auto at_once = std::size_t(std::max<std::int64_t>(1, kRows / options.beams));
  const double begin = now();
  for (std::size_t first = 0; first < order.size(); first += at_once) {
    const auto batch = std::span(order).subspan(first, std::min(at_once, order.size() - first));
    std::vector<std::string> questions;
    for (const std::size_t i : batch) questions.push_back(score.questions[i]);
    const auto answers = answerWithBeams(state, task, framing, questions, options, backend);
    for (std::size_t i = 0; i < batch.size(); ++i)
      score.translations[batch[i]].hypothesis = answers[i].front().answer;
    const auto done = std::int64_t(first + batch.size());
    if (!progress || progress(done, score.asked) || done == score.asked) continue;
    order.resize(std::size_t(done));
    keepOnly(order, score);
    break;
  }
  score.seconds = now() - begin;
  score.bleu = data::corpusBleu(score.translations);
  return score;
}

}  // namespace tfm::train
