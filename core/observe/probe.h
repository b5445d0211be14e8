// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/backend/backend.h"
#include "core/model/batch.h"
#include "core/model/model_config.h"
#include "core/observe/catalog.h"
#include "core/program/executor.h"

namespace tfm::observe {

/// A snapshot of a tensor's values, row-major.
struct Observed {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::vector<float> values;
  float at(std::int64_t row, std::int64_t col) const {
    return values[std::size_t(row * cols + col)];
  }
};

using Observations = std::map<std::string, Observed>;

/// The program that a probe runs, which keeps the scores of its attentions.
Program probedProgram(const ModelConfig& config, const BatchShape& shape);

/// The rows of one sequence of a batch in the tensors of a program, as if it had run alone.
/// `alone`: the program for one sequence of the same lengths; tensors that are no larger there
/// belong to all sequences.
Observations ofSequence(const Observations& all, const Program& alone, std::int64_t sequence);

/// Runs a model forward on an input and reads its activations. Does not affect training.
class Probe {
 public:
  /// For batches with the shape of `batch`.
  Probe(const ModelConfig& config, const Batch& batch, const Backend<float>& backend);

  const Program& program() const { return executor_.program(); }
  /// Runs the model and returns all activations whose name matches `pattern`; see selector.h. The
  /// weight of masked components is that after `step` training steps.
  Observations run(std::span<const float> parameters, const Batch& batch, std::string_view pattern,
                   std::uint64_t step = 0);

 private:
  const Backend<float>& backend_;
  Executor<float> executor_;
};

}  // namespace tfm::observe
