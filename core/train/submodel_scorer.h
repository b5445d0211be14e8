// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/data/framing.h"
#include "core/matformer/cost.h"
#include "core/model/model_state.h"
#include "core/train/counted_answers.h"

namespace tfm::train {

/// What a submodel measured on held-out examples, and how close it is to the whole model
/// (consistency: Devvrit et al., section 4.2).
struct SubmodelScore {
  Submodel submodel;
  matformer::Cost cost;
  std::int64_t examples = 0;  ///< measured so far
  CountedAnswers answers;     ///< of these examples
  double loss = 0.0;          ///< mean over the counted positions
  double agreement = 0.0;     ///< share of them whose most likely answer is the whole model's
  double divergence = 0.0;    ///< mean KL(whole || submodel) over them, in nats
  double milliseconds = 0.0;  ///< of a forward pass on all threads, for one example; the median of
                              ///< all batches: the first one builds its program

  double accuracy() const { return answers.accuracy(); }
};

/// The interval of a proportion at 95 % (Wilson 1927), as shares.
struct Interval {
  double low = 0.0;
  double high = 1.0;
};
Interval wilsonInterval(const CountedAnswers& answers);

/// Measures submodels of one state on one set of held-out examples, which are prepared once. The
/// whole model's answers are kept where they fit into memory, else computed beside each submodel's.
/// For one thread at a time.
class SubmodelScorer {
 public:
  /// `examples`: the first held-out ones, at most as many as there are. Submodels are compared with
  /// the whole model, or that of `reference`. Throws Error where a model does not fit the task.
  SubmodelScorer(std::shared_ptr<const data::Task> task, std::shared_ptr<const ModelState> state,
                 std::int64_t examples, int threads,
                 std::shared_ptr<const ModelState> reference = {});
  ~SubmodelScorer();

  std::int64_t examples() const;
  const ModelState& state() const;

  /// Told after every batch what was measured so far; false cancels.
  using Progress = std::function<bool(const SubmodelScore& so_far)>;
  /// Nothing where it was cancelled. Throws Error for a submodel that the model has not.
  std::optional<SubmodelScore> score(const Submodel& submodel, const Progress& progress = {});

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace tfm::train
