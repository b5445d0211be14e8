// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/submodel_scorer.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include "core/backend/registry.h"
#include "core/base/check.h"
#include "core/base/median.h"
#include "core/base/system_memory.h"
#include "core/data/batches.h"
#include "core/model/build_program.h"
#include "core/train/clock.h"
#include "core/train/counted_positions.h"
#include "core/train/fit_task.h"

namespace tfm::train {
namespace {

// Small, so that first results appear soon and user input is handled soon.
constexpr std::int64_t kMaxBatch = 64;
constexpr std::int64_t kChunkBytes = std::int64_t{32} << 20;    // of one thread's activations
constexpr std::int64_t kAnswerBytes = std::int64_t{256} << 20;  // of the whole model's answers

/// The examples of a batch and the counted rows of its probabilities.
struct PreparedBatch {
  Batch batch;
  std::vector<std::int64_t> rows;  // ascending
  std::int64_t weighted = 0;       // positions with a weight in the loss
};

/// The answers of a model to a batch.
struct BatchAnswers {
  BatchResult result;
  double seconds = 0.0;
  std::vector<float> probabilities;  // of the counted rows
};

/// Splits `order`, in which similar examples are adjacent, into batches. The first has some of each
/// kind and the others follow in mixed order, so that early results are representative. All but the
/// last are equally large, so that few programs are built.
std::vector<std::vector<std::uint64_t>> cut(const std::vector<std::uint64_t>& order,
                                            std::int64_t batch_size) {
  const auto all = std::int64_t(order.size());
  const std::int64_t first = std::min(all, batch_size);
  std::vector<std::vector<std::uint64_t>> batches(1);
  std::vector<std::uint64_t> rest;
  for (std::int64_t i = 0, taken = 0; i < all; ++i) {
    const bool take = taken < first && i == taken * all / first;
    (take ? batches.front() : rest).push_back(order[std::size_t(i)]);
    taken += take ? 1 : 0;
  }
  std::vector<std::size_t> begins;
  for (std::size_t begin = 0; begin < rest.size(); begin += std::size_t(batch_size))
    begins.push_back(begin);
  constexpr double kGolden = 0.6180339887498949;
  const auto place = [&](std::size_t begin) {
    return std::fmod(kGolden * double(begin / std::size_t(batch_size)), 1.0);
  };
  std::stable_sort(begins.begin(), begins.end(),
                   [&](std::size_t a, std::size_t b) { return place(a) < place(b); });
  for (const std::size_t begin : begins) {
    const std::size_t end = std::min(rest.size(), begin + std::size_t(batch_size));
    batches.emplace_back(rest.begin() + std::ptrdiff_t(begin), rest.begin() + std::ptrdiff_t(end));
  }
  return batches;
}

/// As many examples as fit a thread's memory, at most kMaxBatch.
std::int64_t batchSize(const ModelConfig& config, const data::FramedSizes& sizes) {
  ProgramOptions options;
  options.loss = true;
  const Program one = buildProgram(config, {1, sizes.source_length, sizes.target_length}, options);
  const std::int64_t sequences = kChunkBytes / one.memoryBytes(sizeof(float), false);
  return std::clamp(kMaxChunks * sequences, kMaxChunks, kMaxBatch);
}

/// KL(p || q) of one position; `q` is at least the smallest normal float.
double divergence(std::span<const float> p, std::span<const float> q) {
  constexpr double kMin = std::numeric_limits<float>::min();
  using Shares = Eigen::Map<const Eigen::ArrayXf>;
  const auto of = Shares(p.data(), std::ssize(p)).cast<double>();
  const auto from = Shares(q.data(), std::ssize(q)).cast<double>().max(kMin);
  return (of > 0.0).select(of * (of / from).log(), 0.0).sum();
}

bool isWhole(const ModelConfig& config, const Submodel& submodel) {
  return (submodel.widths.empty() || submodel.widths == fullWidths(config)) &&
         (submodel.heads.empty() || submodel.heads == fullHeads(config));
}

std::size_t mostLikely(std::span<const float> p) {
  return std::size_t(std::max_element(p.begin(), p.end()) - p.begin());
}

}  // namespace

Interval wilsonInterval(const CountedAnswers& answers) {
  check(answers.right >= 0 && answers.right <= answers.all, "at most all answers are right");
  if (answers.all == 0) return {};
  constexpr double kDeviations = 1.959963984540054;
  const double n = double(answers.all), p = answers.accuracy();
  const double part = kDeviations * kDeviations / n;
  const double middle = (p + part / 2.0) / (1.0 + part);
  const double half = kDeviations * std::sqrt(p * (1.0 - p) / n + part / (4.0 * n)) / (1.0 + part);
  return {std::max(0.0, middle - half), std::min(1.0, middle + half)};
}

struct SubmodelScorer::Parts {
  /// A state and its engine.
  struct Model {
    Model(std::shared_ptr<const ModelState> s, std::int32_t end_label,
          const Backend<float>& backend, WorkerPool& workers)
        : state(std::move(s)),
          parameters(backend.memory(), state->parameters),
          engine(state->config, end_label, backend, workers) {}

    std::shared_ptr<const ModelState> state;
    DeviceCopy<float> parameters;
    GradientEngine<float> engine;
  };

  Parts(const data::Task& task, const std::shared_ptr<const ModelState>& state, int threads)
      : framing((checkFit(state->config, task), framingFor(state->config, task))),
        form(task.form()),
        end_label(endLabel(task, framing)),
        backend(makeBackend<float>()),
        workers(threads),
        model(state, end_label, *backend, workers) {}

  void prepare(const data::Task& task, std::int64_t wanted);
  BatchAnswers answers(const Model& of, GradientEngine<float>& engine,
                       const PreparedBatch& prepared, const Submodel& submodel);
  /// Cached if all fit in memory, otherwise computed each time.
  const BatchAnswers& wholeAnswers(std::size_t batch);
  /// Without an engine: of the model that others are compared with.
  std::optional<SubmodelScore> score(const Submodel& submodel, GradientEngine<float>* engine,
                                     const Progress& progress);
  void compare(const BatchAnswers& mine, const BatchAnswers& whole, double& agreeing,
               double& diverging);

  data::Framing framing;
  data::TaskForm form;
  std::int32_t end_label;
  std::unique_ptr<Backend<float>> backend;
  WorkerPool workers;
  Model model;
  std::optional<Model> reference;  // default: the model itself
  std::vector<PreparedBatch> batches;
  std::int64_t examples = 0;
  std::size_t outputs = 0;
  bool keeps_answers = false;
  std::vector<std::optional<BatchAnswers>> whole_answers;  // one per batch, or only the latest
};

void SubmodelScorer::Parts::prepare(const data::Task& task, std::int64_t wanted) {
  examples = data::evaluationCount(task, wanted);
  const data::FramedSizes sizes = data::sizesOf(task, framing);
  outputs = std::size_t(sizes.outputs);
  std::int64_t rows = 0;
  for (const auto& numbers :
       cut(data::evaluationOrder(task, framing, examples), batchSize(model.state->config, sizes))) {
    PreparedBatch prepared;
    prepared.batch = data::evaluationBatch(task, framing, numbers);
    for (std::int64_t s = 0; s < prepared.batch.size; ++s)
      forEachCounted(prepared.batch, s, end_label,
                     [&](std::int64_t row, std::int32_t) { prepared.rows.push_back(row); });
    prepared.weighted = weightedLabels(prepared.batch);
    rows += std::int64_t(prepared.rows.size());
    batches.push_back(std::move(prepared));
  }
  const double bytes = double(rows) * double(outputs) * sizeof(float);
  keeps_answers = bytes <= double(std::min(kAnswerBytes, availableMemory() / 4));
  whole_answers.resize(keeps_answers ? batches.size() : 1);
}

BatchAnswers SubmodelScorer::Parts::answers(const Model& of, GradientEngine<float>& engine,
                                            const PreparedBatch& prepared,
                                            const Submodel& submodel) {
  BatchAnswers result;
  result.probabilities.resize(prepared.rows.size() * outputs);
  const std::int64_t length = std::int64_t(prepared.batch.labels.size()) / prepared.batch.size;
  const auto keep = [&](std::int64_t first_sequence, MatrixView<const float> all) {
    const std::int64_t begin = first_sequence * length, end = begin + all.rows;
    const auto from = std::lower_bound(prepared.rows.begin(), prepared.rows.end(), begin);
    const auto to = std::lower_bound(from, prepared.rows.end(), end);
    auto slot = result.probabilities.begin() + (from - prepared.rows.begin()) * all.cols;
    for (auto row = from; row != to; ++row)
      slot = std::copy_n(all.row(*row - begin), all.cols, slot);
  };
  const double start = now();
  result.result = engine.loss(of.parameters.span(), prepared.batch, std::uint64_t(of.state->step),
                              submodel, keep);
  result.seconds = now() - start;
  return result;
}

const BatchAnswers& SubmodelScorer::Parts::wholeAnswers(std::size_t batch) {
  std::optional<BatchAnswers>& kept = whole_answers[keeps_answers ? batch : 0];
  Model& whole = reference ? *reference : model;
  if (!kept || !keeps_answers) kept = answers(whole, whole.engine, batches[batch], {});
  return *kept;
}

void SubmodelScorer::Parts::compare(const BatchAnswers& mine, const BatchAnswers& whole,
                                    double& agreeing, double& diverging) {
  const std::size_t rows = mine.probabilities.size() / outputs;
  std::vector<double> agrees(rows), diverges(rows);  // summed in order for any number of threads
  constexpr std::size_t kBlock = 256;
  const auto compare_block = [&](std::int64_t block, int) {
    const std::size_t first = std::size_t(block) * kBlock;
    for (std::size_t row = first; row < std::min(rows, first + kBlock); ++row) {
      const auto p = std::span(whole.probabilities).subspan(row * outputs, outputs);
      const auto q = std::span(mine.probabilities).subspan(row * outputs, outputs);
      agrees[row] = mostLikely(p) == mostLikely(q) ? 1.0 : 0.0;
      diverges[row] = divergence(p, q);
    }
  };
  const auto blocks = std::int64_t((rows + kBlock - 1) / kBlock);
  if (blocks == 1)
    compare_block(0, 0);  // cheaper than waking a thread
  else
    workers.run(blocks, compare_block);
  agreeing = std::accumulate(agrees.begin(), agrees.end(), agreeing);
  diverging = std::accumulate(diverges.begin(), diverges.end(), diverging);
}

SubmodelScorer::SubmodelScorer(std::shared_ptr<const data::Task> task,
                               std::shared_ptr<const ModelState> state, std::int64_t examples,
                               int threads, std::shared_ptr<const ModelState> reference)
    : parts_(std::make_unique<Parts>(*task, state, threads)) {
  check(examples > 0, "an evaluation has examples");
  if (reference) {
    checkFit(reference->config, *task);
    parts_->reference.emplace(std::move(reference), parts_->end_label, *parts_->backend,
                              parts_->workers);
  }
  parts_->prepare(*task, examples);
}

SubmodelScorer::~SubmodelScorer() = default;

std::int64_t SubmodelScorer::examples() const { return parts_->examples; }
const ModelState& SubmodelScorer::state() const { return *parts_->model.state; }

std::optional<SubmodelScore> SubmodelScorer::score(const Submodel& submodel,
                                                   const Progress& progress) {
  const bool is_reference = !parts_->reference && isWhole(state().config, submodel);
  return parts_->score(submodel, is_reference ? nullptr : &parts_->model.engine, progress);
}

std::optional<SubmodelScore> SubmodelScorer::scoreChanged(std::span<const TensorChange> changes,
                                                          const Progress& progress) {
  ModelConfig changed = state().config;
  changed.changes.insert(changed.changes.end(), changes.begin(), changes.end());
  GradientEngine<float> engine(std::move(changed), parts_->end_label, *parts_->backend,
                               parts_->workers);
  return parts_->score({}, &engine, progress);
}

std::optional<SubmodelScore> SubmodelScorer::Parts::score(const Submodel& submodel,
                                                          GradientEngine<float>* engine,
                                                          const Progress& progress) {
  SubmodelScore score;
  score.submodel = submodel;
  score.cost = matformer::costOf(model.state->config, submodel);
  double loss = 0.0, weighted = 0.0, positions = 0.0, agreeing = 0.0, diverging = 0.0;
  std::vector<double> seconds;  // per example, for each batch
  for (std::size_t i = 0; i < batches.size(); ++i) {
    const PreparedBatch& prepared = batches[i];
    const BatchAnswers& whole = wholeAnswers(i);
    BatchAnswers part;
    if (engine != nullptr) part = answers(model, *engine, prepared, submodel);
    const BatchAnswers& mine = engine != nullptr ? part : whole;
    compare(mine, whole, agreeing, diverging);
    loss += double(prepared.weighted) * mine.result.loss;
    weighted += double(prepared.weighted);
    positions += double(prepared.rows.size());
    seconds.push_back(mine.seconds / double(prepared.batch.size));
    score.examples += mine.result.counts.sequences;
    const CountedAnswers counted = countedAnswers(form, mine.result.counts);
    score.answers.right += counted.right;
    score.answers.all += counted.all;
    score.answers.by_position = counted.by_position;
    score.loss = loss / std::max(1.0, weighted);
    score.agreement = agreeing / std::max(1.0, positions);
    score.divergence = diverging / std::max(1.0, positions);
    score.milliseconds = 1000.0 * median(seconds);
    if (progress && !progress(score)) return {};
  }
  return score;
}

}  // namespace tfm::train
