// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <any>
#include <functional>
#include <string>

#include "core/backend/explanation.h"
#include "core/program/program.h"

namespace tfm {

/// The name of a tensor in a sentence.
using TensorNamer = std::function<std::string(TensorId id)>;

/// A step as the sentence of its op sees it. Without a namer, tensors have their names in the
/// program.
struct StepReader {
  const Program& program;
  const Step& step;
  const TensorNamer& namer;

  const TensorInfo& in(std::size_t i) const { return program.tensors[std::size_t(step.inputs[i])]; }
  const TensorInfo& out(std::size_t i = 0) const {
    return program.tensors[std::size_t(step.outputs[i])];
  }
  std::string name(TensorId id) const {
    return namer ? namer(id) : program.tensors[std::size_t(id)].name;
  }
  std::string inName(std::size_t i) const { return name(step.inputs[i]); }
  bool has(std::size_t i) const { return i < step.inputs.size() && step.inputs[i] != kNoTensor; }
  template <class Arguments>
  const Arguments& get() const {
    return std::any_cast<const Arguments&>(step.arguments);
  }
};

namespace ops {

/// "1 number", "8 numbers".
inline std::string counted(std::int64_t count, const std::string& noun) {
  return std::to_string(count) + ' ' + noun + (count == 1 ? "" : "s");
}
inline std::string numbers(std::int64_t count) { return counted(count, "number"); }
/// "At each of 5 positions, ".
inline std::string atEach(const TensorInfo& t) {
  return t.rows == 1 ? "Once, " : "At each of " + counted(t.rows, "position") + ", ";
}

/// The sentence of the update of any optimizer.
struct UpdateWords {
  static std::string sentence(const StepReader&) {
    return "The optimizer moves each weight against its gradient";
  }
};

/// Gives an op its words, from a type with the symbols kOutputs and kInputs and with
/// `static std::string sentence(const StepReader&)`.
template <class Words>
Op worded(Op op) {
  op.output_symbols = Words::kOutputs;
  op.input_symbols = Words::kInputs;
  op.sentence = &Words::sentence;
  return op;
}

/// Gives an op its kind, its words and its explanations, from a type that also has
/// `template <class Real> static Explanation explain(const OpCall<Real>&, const StepNumber& of)`
/// and, if the op changes the length of sequences, `positions`.
template <class Explained>
Op explained(Op op, OpKind kind = OpKind::Other) {
  op = worded<Explained>(op);
  op.kind = kind;
  if constexpr (requires { &Explained::positions; }) op.positions = &Explained::positions;
  op.single_precision.explain = &Explained::template explain<float>;
  op.double_precision.explain = &Explained::template explain<double>;
  return op;
}

}  // namespace ops
}  // namespace tfm
