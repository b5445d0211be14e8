// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/program/ops/op_description.h"

namespace tfm::observe {

/// A symbol in the formulas of an op's explanations and what it stands for.
struct OpSymbol {
  std::string text;
  bool output = false;
  std::size_t index = 0;   ///< of the input or output
  bool statistic = false;  ///< one column of it, such as the mean of each row
};

/// The symbols of an op; "d" before one is the derivative of the loss by it. Empty for an op that
/// has no words.
std::vector<OpSymbol> symbolsOf(const Op& op);

/// One plain sentence that says what a step does in this model: "7 heads, each with queries and
/// keys of 5 numbers, compare ...". Empty for an op that has no words.
std::string sentenceOf(const Program& program, const Step& step, const TensorNamer& namer = {});
/// The same of its backward pass: "The gradient of output is handed on to decoder.final_norm and
/// output.weight." Empty for a step that nothing is handed on through.
std::string backwardSentenceOf(const Program& program, const Step& step,
                               const TensorNamer& namer = {});

}  // namespace tfm::observe
