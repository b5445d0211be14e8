// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/observe/explainer.h"
#include "core/program/ops/op_description.h"

namespace tfm::observe {

// Texts of explanations, for any op.

/// Gives the value of a number, e.g. Explainer::value().
using ValueOf = std::function<double(const NumberPlace&)>;

/// The formula of a part of `number`, with the tensors' names for its symbols and the number's own
/// rows and columns: "output[1, 21] = sum_j decoder.final_norm[1, j] output.weight[21, j] +
/// output.bias[0, 21], j = 0 ... 7". With several parts, "+=" for "=".
std::string namedFormula(const Program& program, const ExplainedNumber& number,
                         const StepPart& part);

/// The same for a screen: the tensors have labels, rows and columns count from 1, see labelOf(),
/// and products have a dot: "logit[2, 22] = sum_j last norm[2, j] · weight of output layer[22, j] +
/// bias of output layer[1, 22], j = 1 ... 8".
std::string labelledFormula(const Program& program, const ExplainedNumber& number,
                            const StepPart& part, const TensorNamer& label);

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

/// "sum", "share", "largest" or "smallest".
std::string_view ruleName(Explanation::Rule rule);
/// The amount that a part with the rule Share divides by the sum of all.
double numeratorOf(const StepPart& part);

/// All terms as rows of texts, a row for each source, after a head: step, op, rule, function, term
/// ("constant", or its number by size from 1), amount, factor, source, value, multiplied. An amount
/// is the factor times the values that are multiplied ("yes"); the other values ("no"), such as an
/// index, are read. Without factor, the step computes the amount from the values. Of a share, the
/// rule of the numerator's rows is "share, numerator".
using TermTable = std::vector<std::vector<std::string>>;
TermTable termTable(const Program& program, const ExplainedNumber& number, const ValueOf& valueOf);
/// The same as CSV.
std::string csvOf(const Program& program, const ExplainedNumber& number, const ValueOf& valueOf);

}  // namespace tfm::observe
