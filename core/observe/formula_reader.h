// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/observe/explainer.h"
#include "core/observe/formula.h"

namespace tfm::observe {

/// Writes the formula of a part of an explanation for its number: index letters that its row and
/// column determine are replaced by these, and places in brackets by those that the terms come
/// from.
class FormulaReader {
 public:
  enum class Style {
    Names,   ///< tensors' names for symbols
    Latex,   ///< symbols
    Labels,  ///< as labelledFormula() has it
  };
  /// `label`: of tensors, for Style::Labels.
  FormulaReader(const Program& program, const NumberPlace& of, const StepPart& part, Style style,
                TensorNamer label = {});

  /// The right side of the formula.
  std::string right();
  /// In LaTeX the left side.
  std::string left();
  /// The symbols that both sides have, in order; after right() and left().
  const std::vector<SymbolMeaning>& symbols() const { return symbols_; }
  /// ", j = 0 ... 7" for the letters that a sum runs over; after right().
  std::string ranges() const;

 private:
  struct Symbol {
    std::string text;
    TensorId tensor;  ///< that holds the numbers; kNoTensor: absent
    bool gradient, statistic, input;
  };
  struct Range {
    std::int64_t first, last;
    bool whole;  ///< nothing between them is left out
  };

  void addSymbols();
  void bindLetters(const NumberPlace& of);
  void dropAbsent();
  const Symbol* symbolAt(std::string_view text, std::size_t at) const;
  std::string written(std::string_view text, bool inside);
  std::string word(std::string_view word) const;
  std::optional<std::int64_t> indexIn(std::string_view text) const;
  std::string indexText(std::int64_t index) const;
  bool multiplies(std::string_view text, std::size_t space) const;
  std::string place(const Symbol& symbol, std::string_view inside);
  std::string named(const Symbol& symbol);
  std::vector<std::vector<std::int64_t>> placesOf(const Symbol& symbol) const;

  const Program& program_;
  const StepPart& part_;
  Style style_;
  TensorNamer label_;
  std::string left_, right_;
  std::vector<Symbol> known_;  ///< the longest first
  std::map<std::string, std::int64_t, std::less<>> letters_;
  std::string text_;  ///< "1, ": the number's text in a batch of several, as its label
  std::map<std::string, Range> ranges_;
  std::vector<SymbolMeaning> symbols_;
};

/// LaTeX for a name in typewriter letters.
std::string latexName(std::string_view name);

}  // namespace tfm::observe
