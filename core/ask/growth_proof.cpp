// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/growth_proof.h"

#include <algorithm>
#include <future>

#include "core/backend/registry.h"
#include "core/base/error.h"
#include "core/base/system_memory.h"
#include "core/data/batches.h"
#include "core/data/random_examples.h"
#include "core/expand/kinds.h"
#include "core/model/build_program.h"
#include "core/train/clock.h"
#include "core/train/counted_positions.h"
#include "core/train/fit_task.h"

namespace tfm::train {
namespace {

// The user is waiting: the budget of one model for the examples, in float, and for its answers.
constexpr std::int64_t kExampleFlops = 800'000'000, kAnswerFlops = 2'400'000'000;
constexpr std::int64_t kMaxAnswers = 16, kFewAnswers = 4;
constexpr std::int64_t kMaxTokens = 24, kFewTokens = 4;

/// The extent of a comparison.
struct Extent {
  std::int64_t examples = 0, answers = 0, tokens = 0;
};

Extent affordable(const ModelConfig& config, const data::Task* task, std::int64_t max_examples) {
  const std::int64_t pass =
      std::max<std::int64_t>(1, buildProgram(config, fullShape(config, 1), {}).forwardFlops());
  Extent extent;
  extent.examples = std::clamp<std::int64_t>(kExampleFlops / pass, 1, max_examples);
  extent.tokens = std::clamp(kAnswerFlops / (kFewAnswers * pass), kFewTokens, kMaxTokens);
  extent.tokens = std::min(extent.tokens, std::max<std::int64_t>(1, config.target_length));
  extent.answers = std::clamp<std::int64_t>(kAnswerFlops / (extent.tokens * pass), 1, kMaxAnswers);
  if (task != nullptr) extent.answers = data::evaluationCount(*task, extent.answers);
  return extent;
}

/// Of a model without a task.
std::vector<data::Example> randomExamples(const data::TextCodec& codec, std::int64_t count) {
  std::vector<data::Example> examples;
  for (std::uint64_t i = 0; i < std::uint64_t(count); ++i)
    examples.push_back(data::randomExample(codec, i, codec.longestInput()));
  return examples;
}

Batch probeBatch(const data::TextCodec& codec, const data::Task* task, data::Framing framing,
                 std::int64_t count) {
  if (task != nullptr) return data::evaluationBatch(*task, framing, 0, count);
  return data::frame(codec, framing, randomExamples(codec, count));
}

std::vector<std::string> questionsOf(const data::TextCodec& codec, const data::Task* task,
                                     std::int64_t count) {
  std::vector<std::string> questions;
  if (task == nullptr) {
    for (const data::Example& example : randomExamples(codec, count))
      questions.push_back(codec.inputText(example.source));
    // Random pieces of words are not always a text.
    std::erase_if(questions, [&](const std::string& text) { return !codec.canRead(text); });
    return questions;
  }
  for (std::uint64_t i = 0; i < std::uint64_t(count); ++i)
    questions.push_back(task->questionText(data::Split::Evaluation, data::kEvaluationSeed, i));
  return questions;
}

void countPositions(const Batch& batch, std::int32_t end_label, GrowthProof& proof) {
  const expand::Verdict& v = proof.verdict;
  const auto best = [&](const std::vector<float>& outputs, std::int64_t row) {
    const auto begin = outputs.begin() + row * v.cols;
    return std::max_element(begin, begin + v.cols) - begin;
  };
  const auto count = [&](std::int64_t row) {
    ++proof.positions;
    if (best(v.outputs_before, row) == best(v.outputs_after, row)) ++proof.same_positions;
  };
  if (batch.labels.empty())  // nothing is answered: hidden states
    for (std::int64_t row = 0; row < v.rows; ++row) count(row);
  else
    for (std::int64_t sequence = 0; sequence < batch.size; ++sequence)
      forEachCounted(batch, sequence, end_label,
                     [&](std::int64_t row, std::int32_t) { count(row); });
}

}  // namespace

std::int64_t GrowthProof::sameAnswers() const {
  std::int64_t same = 0;
  for (std::size_t i = 0; i < answers_before.size(); ++i) same += sameAnswer(i) ? 1 : 0;
  return same;
}

void requireMemoryToProve(std::span<const expand::Change> changes, const data::Task* task,
                          std::int64_t max_examples) {
  if (changes.empty()) return;
  const ModelConfig& after = changes.back().after;
  const Extent extent = affordable(after, task, max_examples);
  const auto activations = [&](std::int64_t examples, std::size_t bytes_a_number) {
    const Program program = buildProgram(after, fullShape(after, examples), {});
    return program.memoryBytes(std::int64_t(bytes_a_number), false);
  };
  const std::int64_t needed =
      expand::costOf(changes).bytes + std::max(activations(extent.examples, sizeof(double)),
                                               activations(extent.answers, sizeof(float)));
  requireAvailable("growing and proving it", needed,
                   "growing " + std::string(expand::rowOf(changes.back().growth.kind).name),
                   "Choose a smaller size");
}

GrowthProof proveGrowth(const ModelState& before, const expand::Grown& grown,
                        const data::TextCodec& codec, const data::Task* task, data::Framing framing,
                        std::int64_t max_examples, const expand::Progress& progress) {
  const double begin = now();
  GrowthProof proof;
  const Extent extent = affordable(grown.state.config, task, max_examples);
  const Batch batch = probeBatch(codec, task, framing, extent.examples);
  proof.examples = batch.size;
  proof.held_out = task != nullptr;
  proof.verdict = expand::verify(before, grown, batch, progress);
  countPositions(batch, endLabel(codec, framing), proof);
  const data::Vocabulary& written = data::outputVocabulary(codec, framing);
  for (std::int64_t i = 0; i < proof.verdict.cols && i < written.size(); ++i)
    proof.outputs.push_back(written.label(std::int32_t(i)));

  std::vector<std::string> questions;
  const bool tokens = framing != data::Framing::States && framing != data::Framing::Numbers;
  if (tokens) questions = questionsOf(codec, task, extent.answers);
  const auto backend = makeBackend<float>();
  SamplingOptions greedy;
  greedy.max_tokens = proof.max_tokens = extent.tokens;
  expand::Work work(progress, 1);
  const auto answers = [&](const ModelState& state) {
    return answer(state, codec, framing, questions, greedy, *backend,
                  [&](const auto&) { return work.isWanted(); });
  };
  auto of_before = std::async(std::launch::async, [&] { return answers(before); });
  proof.answers_after = answers(grown.state);
  work.advance(1);
  proof.answers_before = of_before.get();
  proof.seconds = now() - begin;
  return proof;
}

}  // namespace tfm::train
