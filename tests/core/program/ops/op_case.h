// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/program/program_builder.h"
#include "tests/core/program/ops/plain_matrix.h"

namespace tfm::test {

using Ids = std::vector<std::int32_t>;
using Outputs = std::vector<PlainMatrix>;

/// What a plain loop is given: inputs by position; absent where they are integers or left out.
struct PlainCall {
  std::vector<PlainMatrix> in;
  std::vector<Ids> ids;
  std::any arguments;
  RunPosition position;

  template <class Arguments>
  const Arguments& get() const {
    return std::any_cast<const Arguments&>(arguments);
  }
};
/// The forward of an op once more: loops over single numbers in double, with nothing of the engine
/// in them. Returns all outputs of the op, in order.
using PlainOp = Outputs (*)(const PlainCall&);

/// What the first input of a case holds; all other inputs hold small numbers.
enum class Draw {
  Small,         ///< in +-[0.05, 1], so that no ReLU has its kink within a finite difference
  Wide,          ///< in +-[0.05, 30]
  WideAndZeros,  ///< zeros and subnormal numbers of single precision among them
};

/// One row of the table: a program of one step, with the op's plain reference.
struct OpCase {
  std::string name;
  PlainOp plain;
  Program program;
  std::vector<Ids> ids;  ///< of the step's inputs, by position
  RunPosition position;
  double float_tolerance = 2e-5;
  Draw draw = Draw::Small;
  bool explained = true;  ///< whether the step can be, as not all of those can that nobody watches

  const Step& step() const { return program.steps.front(); }
  Size input(std::size_t i) const { return sizeOf(step().inputs[i]); }
  Size output(std::size_t i) const { return sizeOf(step().outputs[i]); }
  bool hasGradient(std::size_t i) const {
    const TensorId id = step().inputs[i];
    return id != kNoTensor && program.tensors[std::size_t(id)].role == Role::Activation;
  }

 private:
  Size sizeOf(TensorId id) const {
    if (id == kNoTensor || program.tensors[std::size_t(id)].role == Role::Ids) return {};
    return {program.tensors[std::size_t(id)].rows, program.tensors[std::size_t(id)].cols};
  }
};

/// Makes the inputs of a case.
class CaseBuilder : public ProgramBuilder {
 public:
  using ProgramBuilder::ProgramBuilder;

  /// A matrix with a gradient.
  TensorId x(std::int64_t rows, std::int64_t cols) { return activation(nextName(), rows, cols); }
  /// A matrix without one.
  TensorId given(std::int64_t rows, std::int64_t cols) { return input(nextName(), rows, cols); }
  TensorId given(Ids values) {
    const TensorId id = ids(nextName(), std::int64_t(values.size()));
    values_.emplace_back(id, std::move(values));
    return id;
  }
  /// What was given as the integers of `id`.
  Ids valuesOf(TensorId id) const {
    for (const auto& [known, values] : values_)
      if (known == id) return values;
    return {};
  }

 private:
  std::string nextName() { return "x" + std::to_string(inputs_++); }

  int inputs_ = 0;
  std::vector<std::pair<TensorId, Ids>> values_;
};

/// A case whose step `append` adds, with its inputs, to a builder.
template <class Append>
OpCase makeCase(std::string name, PlainOp plain, const Append& append,
                CaseBuilder b = {{}, true, false}) {
  append(b);
  OpCase c{std::move(name), plain, {}, {}, {}};
  c.program = b.finish();
  for (const TensorId id : c.step().inputs) c.ids.push_back(b.valuesOf(id));
  return c;
}

/// The same case with wide inputs, for kernels that may be right near 0 only.
inline OpCase widened(OpCase c, Draw draw = Draw::WideAndZeros) {
  c.name += ", wide";
  c.draw = draw;
  return c;
}

/// Every op at sizes of one, odd sizes and sizes that are no multiple of a vector, with and without
/// its options.
std::vector<OpCase> opCases();
/// Those of attention and of what its scores are made from, of ops that change the length of
/// sequences, and of ops on groups of columns.
std::vector<OpCase> attentionCases();
std::vector<OpCase> relativeCases();
std::vector<OpCase> lengthCases();
std::vector<OpCase> groupCases();

/// 1 for the last `padded[b]` of `length` positions of sequence b.
Ids padAtEnd(std::int64_t length, const std::vector<std::int64_t>& padded);
/// The elements of a matrix that dropout keeps, scaled.
PlainMatrix plainDropped(const PlainMatrix& x, const DropoutArguments& a, const RunPosition& p);

}  // namespace tfm::test
