// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/observe/formula.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>

#include "core/observe/formula_reader.h"

namespace tfm::observe {
namespace {

constexpr int kAllDigits = 17;

std::string shortText(double value, int digits) {
  char text[40];
  std::snprintf(text, sizeof text, "%.*g", digits, value);
  return text;
}

bool same(double a, double b) { return a == b || std::abs(a - b) <= 1e-9 * std::abs(b); }

/// What the product of its sources is multiplied by, to give a term; nothing where one is 0.
std::optional<double> factorOf(const PlacedTerm& term, const ValueOf& valueOf) {
  double product = 1.0;
  for (const NumberPlace& source : term.sources) product *= valueOf(source);
  if (product == 0.0 || !std::isfinite(product)) return std::nullopt;
  return term.amount / product;
}

/// The factor that all terms with as many sources as the first have, if they are several; else 1.
double commonFactor(const StepPart& part, const ValueOf& valueOf, std::size_t most) {
  std::optional<double> common;
  int alike = 0;
  for (std::size_t i = 0; i < std::min(most, part.terms.size()); ++i) {
    const std::optional<double> factor = factorOf(part.terms[i], valueOf);
    if (!factor || part.terms[i].sources.size() != part.terms.front().sources.size()) continue;
    if (common && !same(*factor, *common)) return 1.0;
    common = factor;
    ++alike;
  }
  return alike > 1 ? *common : 1.0;
}

/// How numbers, products and words are written.
struct Writing {
  int digits;
  bool latex;

  std::string times() const { return latex ? " \\cdot " : " * "; }
  std::string words(const std::string& text) const {
    return latex && !text.empty() ? "\\text{" + text + '}' : text;
  }
  std::string number(double value) const {
    std::string text = shortText(value, digits);
    if (!latex) return text;
    if (const std::size_t e = text.find('e'); e != std::string::npos)
      text =
          text.substr(0, e) + " \\cdot 10^{" + std::to_string(std::stoi(text.substr(e + 1))) + '}';
    if (const std::size_t inf = text.find("inf"); inf != std::string::npos)
      text.replace(inf, 3, "\\infty");
    return text;
  }
  /// In brackets if it is negative and does not come first.
  std::string number(double value, bool first) const {
    const std::string text = number(value);
    return !first && text.front() == '-' ? '(' + text + ')' : text;
  }
};

/// "0.5 * 0.8" where the term is such a product, otherwise its amount.
std::string termText(const PlacedTerm& term, const ValueOf& valueOf, double common, bool first,
                     const Writing& w) {
  if (term.sources.empty()) return w.number(term.amount, first);
  const std::optional<double> factor = factorOf(term, valueOf);
  const auto isFactor = [&](double x) { return factor && same(*factor, x); };
  if (!isFactor(1.0) && !isFactor(-1.0) && !isFactor(common)) return w.number(term.amount, first);
  std::string text;
  if (!isFactor(1.0)) text = w.number(*factor, first);
  for (const NumberPlace& source : term.sources)
    text += (text.empty() ? "" : w.times()) + w.number(valueOf(source), first && text.empty());
  return text;
}

/// The largest terms, joined as the rule does.
std::string termsText(const StepPart& part, const ValueOf& valueOf, std::size_t most,
                      const Writing& w) {
  const Explanation& e = part.explanation;
  const bool sum = e.rule == Explanation::Rule::Sum || e.rule == Explanation::Rule::Share;
  const std::string between = sum ? " + " : ", ";
  const double common = commonFactor(part, valueOf, most);
  std::string text;
  if (sum && e.constant != 0.0) text = w.number(e.constant, true);
  double rest = 0.0;
  for (std::size_t i = 0; i < part.terms.size(); ++i) {
    if (i >= most) {
      rest += part.terms[i].amount;
      continue;
    }
    const bool first = text.empty();
    const std::string term = e.rule == Explanation::Rule::Share
                                 ? w.number(part.terms[i].amount, first)
                                 : termText(part.terms[i], valueOf, common, first, w);
    text += (first ? "" : between) + term;
  }
  if (part.terms.size() > most) {
    const std::size_t more = part.terms.size() - most;
    text += between + '(' + w.words(std::to_string(more) + " more" + (sum ? ": " : "")) +
            (sum ? w.number(rest) : "") + ')';
  }
  return text.empty() ? "0" : text;
}

/// The right side in numbers: terms, rule and function.
std::string combinedText(const StepPart& part, const ValueOf& valueOf, std::size_t most,
                         const Writing& w) {
  const Explanation& e = part.explanation;
  std::string text = termsText(part, valueOf, most, w);
  if (e.rule == Explanation::Rule::Share)
    text = w.number(e.terms.front().amount, true) + " / (" + text + ')';
  else if (e.rule == Explanation::Rule::Largest)
    text = w.words("largest of ") + text;
  else if (e.rule == Explanation::Rule::Smallest)
    text = w.words("smallest of ") + text;
  return e.function.empty() ? text : w.words(std::string(e.function)) + '(' + text + ')';
}

/// A field that may have commas and quotes.
std::string quoted(const std::string& field) {
  std::string text = "\"";
  for (const char c : field) text += c == '"' ? "\"\"" : std::string(1, c);
  return text + '"';
}

}  // namespace

std::string namedFormula(const Program& program, const ExplainedNumber& number,
                         const StepPart& part) {
  FormulaReader reader(program, number.place, part, FormulaReader::Style::Names);
  const std::string right = reader.right();
  return nameOf(program, number.place) + (number.parts.size() > 1 ? " += " : " = ") + right +
         reader.ranges();
}

std::vector<SymbolMeaning> symbolsIn(const Program& program, const ExplainedNumber& number,
                                     const StepPart& part) {
  FormulaReader reader(program, number.place, part, FormulaReader::Style::Latex);
  reader.left();
  reader.right();
  return reader.symbols();
}

std::string withNumbers(const StepPart& part, const ValueOf& valueOf, std::size_t most,
                        int digits) {
  const Writing writing{digits, false};
  return shortText(part.explanation.value(), digits) + " = " +
         combinedText(part, valueOf, most, writing);
}

std::string latexOf(const Program& program, const ExplainedNumber& number, const ValueOf& valueOf,
                    std::size_t most) {
  constexpr int kDigits = 4;
  const Writing writing{kDigits, true};
  std::string text = "% " + nameOf(program, number.place) + '\n';
  if (number.parts.empty())
    return text + "$" + latexName(nameOf(program, number.place)) + " = " +
           writing.number(number.value) + "$\n";
  for (const StepPart& part : number.parts) {
    FormulaReader reader(program, number.place, part, FormulaReader::Style::Latex);
    const std::string left = reader.left();
    const std::string right = reader.right();
    text += "\\begin{align*}\n" + left + " &= " + right +
            " \\\\\n  &= " + combinedText(part, valueOf, most, writing) +
            " \\\\\n  &= " + writing.number(part.explanation.value()) + "\n\\end{align*}\n";
    std::string where;
    for (const SymbolMeaning& meaning : reader.symbols()) {
      const TensorInfo& t = program.tensors[std::size_t(meaning.tensor)];
      where +=
          (where.empty() ? "Here, " : "; ") + latexName(meaning.symbol) + " is " +
          (meaning.statistic ? "a column of " : "") + latexName(t.name) + " ($" +
          (t.role == Role::Ids ? std::to_string(t.rows)
                               : std::to_string(t.rows) + " \\times " + std::to_string(t.cols)) +
          "$)";
    }
    text += where.empty() ? "" : where + ".\n";
  }
  if (number.parts.size() > 1) text += "Their sum is $" + writing.number(number.value) + "$.\n";
  return text;
}

std::string csvOf(const Program& program, const ExplainedNumber& number, const ValueOf& valueOf) {
  std::string text = "step,op,term,amount,source,value\n";
  for (const StepPart& part : number.parts) {
    const std::string begin =
        quoted(part.step->path) + ',' + quoted(std::string(part.step->op->name)) + ',';
    const auto row = [&](const std::string& term, double amount, const std::string& source) {
      text += begin + term + ',' + shortText(amount, kAllDigits) + ',' + source + '\n';
    };
    if (part.explanation.constant != 0.0) row("constant", part.explanation.constant, ",");
    for (std::size_t i = 0; i < part.terms.size(); ++i) {
      const PlacedTerm& term = part.terms[i];
      for (const NumberPlace& source : term.sources)
        row(std::to_string(i + 1), term.amount,
            quoted(nameOf(program, source)) + ',' + shortText(valueOf(source), kAllDigits));
      if (term.sources.empty()) row(std::to_string(i + 1), term.amount, ",");
    }
  }
  return text;
}

}  // namespace tfm::observe
