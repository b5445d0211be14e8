// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/gradient_engine.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/check.h"
#include "core/model/batch_inputs.h"
#include "core/model/build_program.h"

namespace tfm::train {
namespace {

constexpr std::int64_t kReduceBlock = 1 << 14;
// Programs of this many sizes are kept: both sizes of chunks, for training and measuring, of a full
// batch and of a last, smaller one.
constexpr std::size_t kMostExecutors = 8;

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
  const std::int64_t chunks = std::min(sequences, kMostChunks);
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
                                                  std::int64_t chunk_size, bool training) {
  const Key key{chunk_size, batch.source_length, batch.target_length, batch.size, training};
  auto& mine = executors_[std::size_t(worker)];
  if (const auto found = mine.find(key); found != mine.end()) return found->second;
  if (mine.size() >= kMostExecutors) mine.clear();
  ProgramOptions options;
  options.training = training;
  options.loss = true;
  options.batch_sequences = batch.size;
  auto program = std::make_shared<const Program>(
      buildProgram(config_, {chunk_size, batch.source_length, batch.target_length}, options));
  return mine.emplace(key, Executor<Real>(std::move(program), backend_, training)).first->second;
}

template <class Real>
AnswerCounts GradientEngine<Real>::countAnswers(Executor<Real>& executor, const Batch& batch,
                                                const Chunk& chunk) const {
  AnswerCounts counts;
  const TensorId id = executor.program().find(names::kProbabilities);
  if (id == kNoTensor || batch.labels.empty()) return counts;
  const MatrixView<Real> p = executor.values(id);
  const std::int64_t length = std::int64_t(batch.labels.size()) / batch.size;
  for (std::int64_t s = 0; s < chunk.size; ++s) {
    bool right = true;
    bool any = false;
    for (std::int64_t i = 0; i < length; ++i) {
      const auto at = std::size_t((chunk.first + s) * length + i);
      if (batch.label_weights[at] == 0.0F) continue;
      const std::int32_t label = batch.labels[at];
      const Real* row = p.row(s * length + i);
      const bool hit = std::max_element(row, row + p.cols) - row == label;
      counts.positions += 1;
      counts.right_positions += hit ? 1 : 0;
      right = right && hit;
      any = true;
      if (label == pad_label_) break;
    }
    counts.sequences += any ? 1 : 0;
    counts.right_sequences += any && right ? 1 : 0;
  }
  return counts;
}

template <class Real>
BatchResult GradientEngine<Real>::gradient(std::span<const Real> parameters, const Batch& batch,
                                           std::uint64_t seed, std::uint64_t step,
                                           std::span<Real> gradients,
                                           const std::function<void()>& beside) {
  check(parameters.size() == gradients.size(), "one gradient a parameter");
  const std::vector<Chunk> chunks = cut(batch.size);
  if (chunk_gradients_.size() < chunks.size()) chunk_gradients_.resize(chunks.size());
  chunk_results_.resize(chunks.size());
  const auto pieces = std::int64_t(chunks.size()) + (beside ? 1 : 0);
  workers_.run(pieces, [&](std::int64_t piece, int worker) {
    if (piece == std::int64_t(chunks.size())) return beside();
    const Chunk& chunk = chunks[std::size_t(piece)];
    auto& own = chunk_gradients_[std::size_t(piece)];
    own.resize(parameters.size());
    Executor<Real>& executor = executorFor(worker, batch, chunk.size, true);
    const RunPosition position{seed, step, chunk.first};
    setInputs(executor, batch, chunk.first);
    executor.forward(parameters.data(), position);
    const TensorId loss = executor.program().find(names::kLoss);
    executor.backward(parameters.data(), own.data(), loss, position);
    chunk_results_[std::size_t(piece)] = {double(executor.values(loss).at(0, 0)),
                                          countAnswers(executor, batch, chunk)};
  });
  addChunks(gradients);
  BatchResult total;
  for (const BatchResult& r : chunk_results_) {
    total.loss += r.loss;
    total.counts.add(r.counts);
  }
  return total;
}

template <class Real>
void GradientEngine<Real>::addChunks(std::span<Real> gradients) {
  const auto size = std::int64_t(gradients.size());
  const auto add = [&](std::int64_t block, int) {
    const std::int64_t first = block * kReduceBlock;
    const std::int64_t last = std::min(size, first + kReduceBlock);
    std::copy(chunk_gradients_[0].begin() + first, chunk_gradients_[0].begin() + last,
              gradients.begin() + first);
    for (std::size_t c = 1; c < chunk_results_.size(); ++c)
      for (std::int64_t i = first; i < last; ++i)
        gradients[std::size_t(i)] += chunk_gradients_[c][std::size_t(i)];
  };
  const std::int64_t blocks = (size + kReduceBlock - 1) / kReduceBlock;
  if (blocks == 1)
    add(0, 0);
  else
    workers_.run(blocks, add);
}

template <class Real>
BatchResult GradientEngine<Real>::loss(std::span<const Real> parameters, const Batch& batch,
                                       std::uint64_t step) {
  const std::vector<Chunk> chunks = cut(batch.size);
  std::vector<BatchResult> results(chunks.size());
  workers_.run(std::int64_t(chunks.size()), [&](std::int64_t piece, int worker) {
    const Chunk& chunk = chunks[std::size_t(piece)];
    Executor<Real>& executor = executorFor(worker, batch, chunk.size, false);
    setInputs(executor, batch, chunk.first);
    executor.forward(parameters.data(), {0, step, 0});
    results[std::size_t(piece)] = {
        double(executor.values(executor.program().find(names::kLoss)).at(0, 0)),
        countAnswers(executor, batch, chunk)};
  });
  BatchResult total;
  for (const BatchResult& r : results) {
    total.loss += r.loss;
    total.counts.add(r.counts);
  }
  return total;
}

template <class Real>
std::string GradientEngine<Real>::firstNonFinite(std::span<const Real> parameters,
                                                 const Batch& batch, std::uint64_t step) {
  for (const Chunk& chunk : cut(batch.size)) {
    Executor<Real>& executor = executorFor(0, batch, chunk.size, false);
    setInputs(executor, batch, chunk.first);
    executor.forward(parameters.data(), {0, step, 0});
    for (const Step& done : executor.program().steps) {
      const MatrixView<Real> out = executor.values(done.outputs.front());
      if (!std::all_of(out.data, out.data + out.size(), [](Real x) { return std::isfinite(x); }))
        return done.path;
    }
  }
  return {};
}

template class GradientEngine<float>;
template class GradientEngine<double>;

}  // namespace tfm::train
