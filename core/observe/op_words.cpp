// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/observe/op_words.h"

#include <algorithm>

#include "core/base/word_list.h"

namespace tfm::observe {
namespace {

void addSymbols(std::string_view all, bool output, std::vector<OpSymbol>& symbols) {
  std::size_t index = 0;
  for (std::size_t i = 0; i < all.size();) {
    const std::size_t end = std::min(all.find_first_of(" |", i), all.size());
    OpSymbol symbol{std::string(all.substr(i, end - i)), output, index};
    std::ranges::replace(symbol.text, '~', ' ');
    symbol.statistic = symbol.text.ends_with('*');
    if (symbol.statistic) symbol.text.pop_back();
    symbols.push_back(std::move(symbol));
    if (end < all.size() && all[end] == ' ') ++index;
    i = end + 1;
  }
}

}  // namespace

std::vector<OpSymbol> symbolsOf(const Op& op) {
  std::vector<OpSymbol> symbols;
  addSymbols(op.output_symbols, true, symbols);
  addSymbols(op.input_symbols, false, symbols);
  return symbols;
}

std::string sentenceOf(const Program& program, const Step& step, const TensorNamer& namer) {
  return step.op->sentence == nullptr ? "" : step.op->sentence({program, step, namer}) + '.';
}

std::string backwardSentenceOf(const Program& program, const Step& step, const TensorNamer& namer) {
  const StepReader reader{program, step, namer};
  if (step.op->double_precision.backward == nullptr) return {};
  std::vector<std::string> names;
  for (const TensorId id : step.inputs) {
    if (id == kNoTensor) continue;
    const TensorInfo& t = program.tensors[std::size_t(id)];
    if (t.role == Role::Activation || t.role == Role::Parameter) names.push_back(reader.name(id));
  }
  if (names.empty()) return {};
  return "The gradient of " + reader.name(step.outputs.front()) + " is handed on to " +
         wordList(names, "and") + '.';
}

}  // namespace tfm::observe
