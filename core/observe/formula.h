// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "core/observe/explainer.h"

namespace tfm::observe {

// Texts of explanations, for any op.

/// Gives the value of a number, e.g. Explainer::value().
using ValueOf = std::function<double(const NumberPlace&)>;

/// The formula of a part of `number`, with the tensors' names for its symbols and the number's own
/// rows and columns: "output[1, 21] = sum_j decoder.final_norm[1, j] output.weight[21, j] +
/// output.bias[0, 21], j = 0 ... 7". With several parts, "+=" for "=".
std::string namedFormula(const Program& program, const ExplainedNumber& number,
                         const StepPart& part);

/// What a symbol of a formula stands for.
struct SymbolMeaning {
  std::string symbol;
  TensorId tensor = kNoTensor;
  bool statistic = false;  ///< a column of the tensor
};
/// Those in a part's formula, in the order of appearance.
std::vector<SymbolMeaning> symbolsIn(const Program& program, const ExplainedNumber& number,
                                     const StepPart& part);

/// The formula of a part with its numbers inserted: "0.62 = 0.5 * 0.8 + 0.3 * 1.1 + (3 more terms:
/// -0.11)". The largest terms come first, `most` of them. Numbers are rounded to `digits`.
std::string withNumbers(const StepPart& part, const ValueOf& valueOf, std::size_t most,
                        int digits = 4);

/// All of it as a LaTeX fragment (amsmath): formulas, numbers, and what the symbols stand for.
std::string latexOf(const Program& program, const ExplainedNumber& number, const ValueOf& valueOf,
                    std::size_t most);

/// All terms as CSV with a head: step, op, term, amount, source, value; a row for each source.
std::string csvOf(const Program& program, const ExplainedNumber& number, const ValueOf& valueOf);

}  // namespace tfm::observe
