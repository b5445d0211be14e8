// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/data/framing.h"
#include "core/matformer/cost.h"
#include "core/model/model_state.h"
#include "core/train/counted_answers.h"

namespace tfm::train {

/// The score of a submodel on held-out examples and its consistency with the whole model (Devvrit
/// et al. 2023, section 4.2).
struct SubmodelScore {
  Submodel submodel;
  matformer::Cost cost;
  std::int64_t examples = 0;  ///< measured so far
  CountedAnswers answers;     ///< of these examples
  double loss = 0.0;          ///< mean over the counted positions
  double agreement = 0.0;     ///< share of them with the same most likely answer as the whole model
  double divergence = 0.0;    ///< mean KL(whole || submodel) over them, in nats
  double milliseconds = 0.0;  ///< of a forward pass on all threads, per example; the median over
                              ///< batches, as the first one builds its program

  double accuracy() const { return answers.accuracy(); }
};

/// The 95 % confidence interval of a proportion (Wilson 1927), as shares.
struct Interval {
  double low = 0.0;
  double high = 1.0;
};
Interval wilsonInterval(const CountedAnswers& answers);

/// Scores submodels of one state on a fixed set of held-out examples. The whole model's answers are
/// cached if they fit in memory, otherwise recomputed for each submodel. Not thread-safe.
class SubmodelScorer {
 public:
  /// `examples`: the number of held-out examples, limited to those available. Submodels are
  /// compared with the whole model, or with `reference`. Throws Error if a model does not fit the
  /// task.
  SubmodelScorer(std::shared_ptr<const data::Task> task, std::shared_ptr<const ModelState> state,
                 std::int64_t examples, int threads,
                 std::shared_ptr<const ModelState> reference = {});
  ~SubmodelScorer();

  std::int64_t examples() const;
  const ModelState& state() const;

  /// Called after every batch with the score so far; returns false to cancel.
  using Progress = std::function<bool(const SubmodelScore& so_far)>;
  /// Returns nullopt if cancelled. Throws Error for a submodel that the model does not have.
  std::optional<SubmodelScore> score(const Submodel& submodel, const Progress& progress = {});
  /// The same of the whole model with changes, compared with the model without. They come on top of
  /// those in its config.
  std::optional<SubmodelScore> scoreChanged(std::span<const TensorChange> changes,
                                            const Progress& progress = {});

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace tfm::train
