// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/program/program.h"
#include "core/program/tensor_change.h"
#include "core/tensor/random_streams.h"

namespace tfm {

/// Ends the name of a tensor before a TensorChange.
inline constexpr const char* kBefore = " (before)";

/// Collects tensors and steps into a Program. The functions in ops/ops.h append one step each.
class ProgramBuilder {
 public:
  /// `training` enables dropout and keeps what only a backward pass needs. `scores` keeps the
  /// attention scores before the softmax, for display. `changes` are applied to the results of the
  /// steps, see TensorChange; not with `training`. `watched`: see Program; see also
  /// ops::attention().
  ProgramBuilder(BatchShape shape, bool training, bool scores,
                 std::vector<TensorChange> changes = {}, bool watched = true);

  bool training() const { return training_; }
  bool keepsScores() const { return scores_; }
  bool isWatched() const { return program_.watched; }
  const std::vector<TensorChange>& changes() const { return changes_; }
  const BatchShape& shape() const { return program_.shape; }
  const TensorInfo& tensor(TensorId id) const;

  /// A vector of `size` integers given before a run, or the result of a step.
  TensorId ids(std::string name, std::int64_t size);
  /// A matrix of real numbers set before a run.
  TensorId input(std::string name, std::int64_t rows, std::int64_t cols);
  /// A constant row-major matrix. The same name returns the same tensor.
  TensorId constant(std::string name, std::int64_t rows, std::int64_t cols,
                    const std::vector<double>& values);
  /// A learned tensor. The same name (with the same shape) returns the same tensor, so that layers
  /// can share it; it keeps its first site.
  TensorId parameter(const std::string& name, Shape shape, InitialRule initial,
                     ParameterPart part = ParameterPart::None, Term term = Term::Weight);
  /// The first `rows` rows and `cols` columns of a parameter, named "NAME[:rows, :cols]", or the
  /// parameter itself if that is all of it. Its gradient is added to the parameter's.
  TensorId window(TensorId parameter, std::int64_t rows, std::int64_t cols);
  /// Numbers that the steps of a run leave to the next one; initially zero.
  TensorId state(std::string name, std::int64_t rows, std::int64_t cols);
  /// The result of a step.
  TensorId activation(std::string name, std::int64_t rows, std::int64_t cols);
  void append(Step step);
  /// Sets the site of subsequent parameters and steps.
  void enter(const Site& site) { site_ = site; }
  /// The random stream of the next dropout site, unique in this program.
  std::uint32_t nextDropoutStream() { return streams::kDropout.at(dropout_sites_++); }

  /// The finished program; the builder is empty afterwards.
  Program finish();

 private:
  TensorId add(TensorInfo info);
  /// The step that changes an output of this one, which then outputs the unchanged numbers.
  std::optional<Step> change(Step& step, TensorId& output);

  Program program_;
  bool training_;
  bool scores_;
  std::vector<TensorChange> changes_;
  Site site_;
  std::uint32_t dropout_sites_ = 0;
};

}  // namespace tfm
