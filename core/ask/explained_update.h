// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/model/model_state.h"
#include "core/observe/explainer.h"
#include "core/train/train_config.h"

namespace tfm::train {

/// Where the next value of a weight comes from: its value, gradient, clipping, moments, decay and
/// learning rate, as Trainer computes it, in double precision. The update is a small program of its
/// own, so that formula.h can format it like a model: "NAME.next" is made of "NAME",
/// "NAME.next_first_moment" and so on, down to "NAME.gradient", "gradient_norm" and
/// "learning_rate".
class ExplainedUpdate {
 public:
  /// The step that follows `state`. `gradients`: of all parameters, before clipping, in the order
  /// of the layout; none is left out of the norm. Throws Error if there is no such parameter.
  ExplainedUpdate(const ModelState& state, const TrainConfig& config,
                  std::span<const double> gradients, const std::string& parameter);

  const Program& program() const { return program_; }
  /// The next value of a weight.
  observe::NumberPlace next(std::int64_t row, std::int64_t col) const;
  /// For a place in program().
  observe::ExplainedNumber explain(const observe::NumberPlace& place) const;
  double value(const observe::NumberPlace& place) const;

 private:
  /// Indices of the step's outputs and of the tensors that are given.
  enum Output : std::size_t { kNext, kFirst, kSecond, kGradient, kFactor };
  enum Given : std::size_t { kWeight, kRaw, kOldFirst, kOldSecond, kRate, kNorm };

  observe::NumberPlace at(TensorId tensor, const observe::NumberPlace& cell) const;
  Explanation terms(Output output, const observe::NumberPlace& cell,
                    std::vector<observe::PlacedTerm>& placed) const;

  TrainConfig config_;
  std::int64_t step_, updates_;
  Program program_;
  TensorId outputs_[5], given_[6];
  std::vector<double> numbers_[6];    ///< of what is given
  std::vector<std::int64_t> missed_;  ///< steps of each weight
};

}  // namespace tfm::train
