// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/gradient_engine.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/check.h"
#include "core/model/batch_inputs.h"
#include "core/model/build_program.h"
#include "core/program/ops/update_ops.h"
#include "core/tensor/eigen_map.h"
#include "core/train/counted_positions.h"

namespace tfm::train {
namespace {

constexpr std::int64_t kReduceBlock = 1 << 14;

BatchResult sumOf(std::span<const BatchResult> chunks) {
  BatchResult total;
  for (const BatchResult& chunk : chunks) {
    total.loss += chunk.loss;
    total.counts.add(chunk.counts);
  }
  return total;
}

}  // namespace

void AnswerCounts::add(const AnswerCounts& other) {
  positions += other.positions;
  right_positions += other.right_positions;
  sequences += other.sequences;
  right_sequences += other.right_sequences;
}

double AnswerCounts::positionAccuracy() const {
  return positions == 0 ? 0.0 : double(right_positions) / double(positions);
}

double AnswerCounts::sequenceAccuracy() const {
  return sequences == 0 ? 0.0 : double(right_sequences) / double(sequences);
}

template <class Real>
GradientEngine<Real>::GradientEngine(ModelConfig config, std::int32_t pad_label,
                                     const Backend<Real>& backend, WorkerPool& workers)
    : config_(std::move(config)),
      pad_label_(pad_label),
      backend_(backend),
      workers_(workers),
      executors_(std::size_t(workers.size())) {}

template <class Real>
std::vector<typename GradientEngine<Real>::Chunk> GradientEngine<Real>::cut(
    std::int64_t sequences) const {
  const std::int64_t chunks = backend_.splitsWork() ? std::min(sequences, kMaxChunks) : 1;
  std::vector<Chunk> result;
  std::int64_t first = 0;
  for (std::int64_t i = 0; i < chunks; ++i) {
    const std::int64_t size = sequences / chunks + (i < sequences % chunks ? 1 : 0);
    result.push_back({first, size});
    first += size;
  }
  return result;
}

template <class Real>
Executor<Real>& GradientEngine<Real>::executorFor(int worker, const Batch& batch,
                                                  std::int64_t chunk_size, bool training,
                                                  const Submodel& submodel) {
  const BatchShape shape{chunk_size, batch.source_length, batch.target_length};
  const bool numbers = !batch.label_features.empty();
  // Where work is not split, any worker may have it, one after the other.
  const std::size_t owner = backend_.splitsWork() ? std::size_t(worker) : 0;
  return executors_[owner].get(config_, {shape, batch.size, training, numbers, submodel}, backend_);
}

template <class Real>
const std::vector<EntryRun>& GradientEngine<Real>::usedBy(std::span<const WeightedPart> parts) {
  std::vector<Submodel> key;
  for (const WeightedPart& part : parts) key.push_back(part.submodel);
  const auto [entry, is_new] = used_by_.try_emplace(std::move(key));
  if (!is_new) return entry->second;
  for (const WeightedPart& part : parts) {
    ProgramOptions options;
    options.submodel = part.submodel;
    const Program program = buildProgram(config_, minimalShape(config_), options);
    entry->second = unionOf(entry->second, usedRuns(program));
  }
  return entry->second;
}

template <class Real>
TensorId GradientEngine<Real>::answersOf(const Program& program, const Batch& batch) {
  const bool has = batch.label_features.empty() && !batch.labels.empty();
  return has ? program.find(names::kProbabilities) : kNoTensor;
}

template <class Real>
AnswerCounts GradientEngine<Real>::countAnswers(Executor<Real>& executor, const Batch& batch,
                                                const Chunk& chunk, bool trained) const {
  if (!batch.label_features.empty()) return countNumbers(executor, batch, chunk);
  AnswerCounts counts;
  const TensorId id = answersOf(executor.program(), batch);
  if (id == kNoTensor) return counts;
  const std::span<const std::int32_t> answers = trained ? executor.answers() : executor.argmax(id);
  const std::int64_t first_row = chunk.first * (std::int64_t(batch.labels.size()) / batch.size);
  for (std::int64_t s = chunk.first; s < chunk.first + chunk.size; ++s) {
    bool right = true;
    bool any = false;
    forEachCounted(batch, s, pad_label_, [&](std::int64_t row, std::int32_t label) {
      const bool hit = answers[std::size_t(row - first_row)] == label;
      counts.positions += 1;
      counts.right_positions += hit ? 1 : 0;
      right = right && hit;
      any = true;
    });
    counts.sequences += any ? 1 : 0;
    counts.right_sequences += any && right ? 1 : 0;
  }
  return counts;
}

template <class Real>
AnswerCounts GradientEngine<Real>::countNumbers(Executor<Real>& executor, const Batch& batch,
                                                const Chunk& chunk) const {
  const auto output = map(executor.values(executor.program().find(names::kOutput)));
  const std::int64_t rows = output.rows() / chunk.size;
  const std::int64_t cols = std::int64_t(batch.label_features.size()) / (batch.size * rows);
  const Eigen::Map<const RowMajor<double>> wanted(
      batch.label_features.data() + chunk.first * rows * cols, output.rows(), cols);
  AnswerCounts counts;
  for (std::int64_t s = 0; s < chunk.size; ++s) {
    const auto error = output.block(s * rows, 0, rows, cols).template cast<double>() -
                       wanted.middleRows(s * rows, rows);
    const std::int64_t right = (error.array().abs() <= batch.label_tolerance).count();
    counts.positions += rows * cols;
    counts.right_positions += right;
    counts.sequences += 1;
    counts.right_sequences += right == rows * cols ? 1 : 0;
  }
  return counts;
}

template <class Real>
void GradientEngine<Real>::addPart(int worker, const Real* parameters, Real* gradients,
                                   const Batch& batch, const Chunk& chunk,
                                   const RunPosition& position, const WeightedPart& part, bool add,
                                   const Afterwards& afterwards, BatchResult& result) {
  Executor<Real>& executor = executorFor(worker, batch, chunk.size, true, part.submodel);
  setInputs(executor, batch, chunk.first);
  const TensorId loss = executor.program().find(names::kLoss);
  executor.train(parameters, gradients, {loss, Real(part.weight), add}, position,
                 answersOf(executor.program(), batch), afterwards);
  result.counts = countAnswers(executor, batch, chunk, true);
  result.loss += part.weight * double(executor.values(loss).at(0, 0));
}

template <class Real>
BatchResult GradientEngine<Real>::gradient(std::span<const Real> parameters, const Batch& batch,
                                           std::uint64_t seed, std::uint64_t step,
                                           std::span<Real> gradients,
                                           const std::function<void()>& concurrent,
                                           std::span<const WeightedPart> parts,
                                           const Afterwards& afterwards) {
  check(parameters.size() == gradients.size(), "one gradient per parameter");
  const std::vector<EntryRun>& used = usedBy(parts);
  const std::vector<Chunk> chunks = cut(batch.size);
  while (chunk_gradients_.size() + 1 < chunks.size())
    chunk_gradients_.emplace_back(backend_.memory(), parameters.size());
  std::vector<BatchResult> results(chunks.size());
  const auto chunk_count = std::int64_t(chunks.size());
  const bool several = parts.size() > 1;
  const bool at_once = !backend_.splitsWork() && !several;
  // Part by part: an executor's memory stays in the cache between chunks.
  for (const WeightedPart& part : parts) {
    const bool first = &part == &parts.front();
    workers_.run(chunk_count + (first && concurrent ? 1 : 0), [&](std::int64_t piece, int worker) {
      if (piece == chunk_count) return concurrent();
      const auto own = piece == 0 ? gradients : chunk_gradients_[std::size_t(piece - 1)].span();
      if (first && several)
        for (const EntryRun& run : used)
          ops::fill(backend_,
                    ops::rowOf(own.subspan(std::size_t(run.first), std::size_t(run.count))), 0.0);
      const Chunk& chunk = chunks[std::size_t(piece)];
      addPart(worker, parameters.data(), own.data(), batch, chunk, {seed, step, chunk.first}, part,
              several, at_once ? afterwards : Afterwards(), results[std::size_t(piece)]);
    });
  }
  addChunks(chunks.size(), gradients, used);
  const BatchResult total = sumOf(results);
  if (at_once || !afterwards.work) return total;
  if (loss_.empty()) loss_ = {backend_.memory(), 1};
  const Real loss = Real(total.loss);
  loss_.upload({&loss, 1});
  afterwards.work(loss_.data());
  return total;
}

template <class Real>
void GradientEngine<Real>::addChunks(std::size_t chunks, std::span<Real> gradients,
                                     std::span<const EntryRun> used) {
  const auto add_run = [&](std::int64_t first, std::int64_t count) {
    const auto of = [&](auto all) { return all.subspan(std::size_t(first), std::size_t(count)); };
    for (std::size_t c = 1; c < chunks; ++c)
      ops::addTo(backend_, of(gradients), of(std::as_const(chunk_gradients_[c - 1]).span()));
  };
  const std::vector<EntryRun> blocks = stretches(used, kReduceBlock);
  const auto add = [&](std::int64_t block, int) {
    const EntryRun& entries = blocks[std::size_t(block)];
    forEachRunIn(used, entries.first, entries.first + entries.count, add_run);
  };
  workers_.run(std::int64_t(blocks.size()), add);
}

template <class Real>
BatchResult GradientEngine<Real>::loss(std::span<const Real> parameters, const Batch& batch,
                                       std::uint64_t step, const Submodel& submodel,
                                       const ProbabilitySink<Real>& sink) {
  const std::vector<Chunk> chunks = cut(batch.size);
  std::vector<BatchResult> results(chunks.size());
  workers_.run(std::int64_t(chunks.size()), [&](std::int64_t piece, int worker) {
    const Chunk& chunk = chunks[std::size_t(piece)];
    Executor<Real>& executor = executorFor(worker, batch, chunk.size, false, submodel);
    setInputs(executor, batch, chunk.first);
    executor.forward(parameters.data(), {0, step, 0});
    const Program& program = executor.program();
    results[std::size_t(piece)] = {double(executor.values(program.find(names::kLoss)).at(0, 0)),
                                   countAnswers(executor, batch, chunk, false)};
    const TensorId probabilities = program.find(names::kProbabilities);
    if (sink && probabilities != kNoTensor) sink(chunk.first, executor.values(probabilities));
  });
  return sumOf(results);
}

template <class Real>
std::string GradientEngine<Real>::firstNonFinite(std::span<const Real> parameters,
                                                 const Batch& batch, std::uint64_t step) {
  for (const Chunk& chunk : cut(batch.size)) {
    Executor<Real>& executor = executorFor(0, batch, chunk.size, false, {});
    setInputs(executor, batch, chunk.first);
    executor.forward(parameters.data(), {0, step, 0});
    for (const Step& done : executor.program().steps)
      if (!executor.isFinite(done.outputs.front())) return done.path;
  }
  return {};
}

template class GradientEngine<float>;
template class GradientEngine<double>;

}  // namespace tfm::train
