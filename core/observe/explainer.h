// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/backend/explanation.h"
#include "core/program/executor.h"

namespace tfm::observe {

/// One number of a run: of a tensor, or the derivative of the loss with respect to it.
struct NumberPlace {
  TensorId tensor = kNoTensor;
  std::int64_t row = 0;
  std::int64_t col = 0;
  bool gradient = false;
  auto operator<=>(const NumberPlace&) const = default;
};

/// A term of a number; see Contribution.
struct PlacedTerm {
  double amount = 0.0;
  std::vector<NumberPlace> sources;  ///< those that the program keeps
  std::size_t factors = 0;           ///< see Contribution
  double factor = amount;            ///< with the factors that the program does not keep
  bool numerator = false;            ///< of Rule::Share: the number is this amount / the sum of all
};

/// The part of one step: how it computes a number, or what it adds to a gradient.
struct StepPart {
  const Step* step;
  Explanation explanation;        ///< of which formula, rule, constant and function count
  std::vector<PlacedTerm> terms;  ///< those of the explanation, by decreasing size
};

/// How a number is computed. A number that no step computes (a weight, an input, a token) has no
/// parts; a gradient has one for each step that reads the number, and is their sum.
struct ExplainedNumber {
  NumberPlace place;
  double value = 0.0;
  std::vector<StepPart> parts;
};

/// Explains the numbers of one run of a program. Each explanation leads to the numbers it is
/// computed from, so that every number can be followed back to tokens and weights, and every
/// gradient to the loss.
template <class Real>
class Explainer {
 public:
  /// After `executor` has run forward with `parameters`, at `position`, and backward for `loss` if
  /// gradients are to be explained. All must outlive this and stay unchanged.
  Explainer(Executor<Real>& executor, std::span<const Real> parameters, const RunPosition& position,
            TensorId loss = kNoTensor);

  const Program& program() const { return program_; }
  const RunPosition& position() const { return position_; }
  std::span<const Real> parameters() const { return parameters_; }
  /// The integers of a tensor.
  std::span<const std::int32_t> ids(TensorId id) { return executor_.ids(id); }

  /// Throws Error for a place outside its tensor, and for gradients of what has none.
  ExplainedNumber explain(const NumberPlace& place);
  double value(const NumberPlace& place);
  /// All numbers of a tensor that does not hold integers.
  MatrixView<const Real> values(TensorId id);
  /// The steps that read a number, in execution order.
  std::vector<const Step*> readers(const NumberPlace& place) const;
  /// All numbers that no step computes and that contribute to this one, in order.
  std::vector<NumberPlace> leaves(const NumberPlace& place);

 private:
  struct Reader {
    const Step* step;
    std::size_t input;
  };

  void checkPlace(const NumberPlace& place) const;
  bool isStored(const NumberPlace& place) const;
  const OpCall<Real>& callOf(const Step& step);
  std::vector<StepPart> parts(const NumberPlace& place);
  StepPart part(const Step& step, const StepNumber& of);
  NumberPlace placeOf(const Step& step, const StepNumber& number) const;

  Executor<Real>& executor_;
  const Program& program_;
  std::span<const Real> parameters_;
  RunPosition position_;
  TensorId loss_;
  std::vector<Real> constants_;
  std::vector<const Step*> makers_;           ///< by tensor; null: none
  std::vector<std::vector<Reader>> readers_;  ///< by tensor; windows count as their parameter
  std::map<const Step*, OpCall<Real>> calls_;
};

/// Reads "NAME[ROW, COL]", counted from 0, with NAME a tensor of the program; attention maps have
/// "[HEAD, QUERY, KEY]", tokens "[ROW]". In a batch of several texts, the text comes first, except
/// for what is the same for all, such as weights. Throws Error saying what is wrong.
NumberPlace placeNamed(const Program& program, const std::string& text);
/// The indices in such brackets.
std::vector<std::int64_t> indicesOf(const Program& program, const NumberPlace& place);
/// The same in a tensor of this shape, see tensorShape().
std::vector<std::int64_t> indicesOf(const TensorInfo& tensor,
                                    const std::vector<std::int64_t>& shape,
                                    const NumberPlace& place);
/// The reverse of placeNamed().
std::string nameOf(const Program& program, const NumberPlace& place);

}  // namespace tfm::observe
