// SPDX-License-Identifier: GPL-3.0-or-later
// What a training takes, before it is begun.
#include <algorithm>

#include "core/base/system_memory.h"
#include "core/data/framing.h"
#include "core/model/build_program.h"
#include "core/train/executor_cache.h"
#include "core/train/fit_task.h"
#include "core/train/trainer.h"

namespace tfm::train {

std::int64_t Trainer::memoryBytes(const ModelConfig& model, const data::Task& task,
                                  std::int64_t batch_size, int threads,
                                  const matformer::Nesting& nesting) {
  const std::int64_t chunks = std::min(batch_size, kMaxChunks);
  const std::int64_t sequences = (batch_size + chunks - 1) / chunks;
  const data::FramedSizes sizes = data::sizesOf(task, framingFor(model, task));
  ModelConfig plain = model;
  // Building a program computes its sinusoids, which may themselves be too large.
  if (plain.positions == Positions::Sinusoidal) plain.positions = Positions::None;
  plain.sinusoid_repeats = false;
  plain.changes.clear();  // they can be evaluated, but not trained
  ProgramOptions options;
  options.training = options.loss = true;
  const Program program =
      buildProgram(plain, {1, sizes.source_length, sizes.target_length}, options);

  // In floating point, as the largest models would overflow an integer.
  // Values, two moments, the last good state (the same again) and a gradient per chunk.
  const double parameters = double(program.parameters.total) * sizeof(float) * double(6 + chunks);
  // Each thread has executors with and without gradients, for one chunk size, or two if chunks are
  // not equal, and for each granularity, if the cache keeps them.
  const double measuring = double(program.memoryBytes(sizeof(float), false));
  const double training = double(program.memoryBytes(sizeof(float), true));
  const auto granularities = matformer::granularities(model, nesting).size();
  const double wanted = (batch_size % chunks == 0 ? 1.0 : 2.0) *
                        double(std::max<std::size_t>(1, granularities)) * double(sequences) *
                        (training + measuring);
  const double kept = ExecutorCache<float>::maxBytes(double(sequences) * training);
  const double bytes = parameters + std::max(1, threads) * std::min(wanted, kept);
  return std::int64_t(std::min(bytes, 1e18));
}

void Trainer::requireMemory(const ModelConfig& model, const data::Task& task,
                            std::int64_t batch_size, int threads,
                            const matformer::Nesting& nesting) {
  requireAvailable("training this model", memoryBytes(model, task, batch_size, threads, nesting),
                   "model size", "Choose a smaller model, shorter sequences or a smaller batch");
}

}  // namespace tfm::train
