// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/observe/formula.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/base/index_label.h"
#include "core/observe/formula_reader.h"

namespace tfm::observe {
namespace {

constexpr int kAllDigits = 17;

std::string shortText(double value, int digits) {
  char text[40];
  std::snprintf(text, sizeof text, "%.*g", digits, value);
  return text;
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

/// "2 * 0.5 * 0.8": the factors of a term, otherwise its amount.
std::string termText(const PlacedTerm& term, const ValueOf& valueOf, bool first, const Writing& w) {
  if (term.factors == 0) return w.number(term.amount, first);
  std::string text;
  if (term.factor != 1.0) text = w.number(term.factor, first);
  for (std::size_t i = 0; i < term.factors; ++i)
    text +=
        (text.empty() ? "" : w.times()) + w.number(valueOf(term.sources[i]), first && text.empty());
  return text;
}

/// The largest terms, joined as the rule does.
std::string termsText(const StepPart& part, const ValueOf& valueOf, std::size_t most,
                      const Writing& w) {
  const Explanation& e = part.explanation;
  const bool sum = e.rule == Explanation::Rule::Sum || e.rule == Explanation::Rule::Share;
  const std::string between = sum ? " + " : ", ";
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
                                 : termText(part.terms[i], valueOf, first, w);
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
    text = w.number(numeratorOf(part), true) + " / (" + text + ')';
  else if (e.rule == Explanation::Rule::Largest)
    text = w.words("largest of ") + text;
  else if (e.rule == Explanation::Rule::Smallest)
    text = w.words("smallest of ") + text;
  return e.function.empty() ? text : w.words(std::string(e.function)) + '(' + text + ')';
}

/// What a row of the table says about a term.
std::string ruleOf(const StepPart& part, const PlacedTerm& term) {
  const std::string rule(ruleName(part.explanation.rule));
  return term.numerator ? rule + ", numerator" : rule;
}

/// A field that may have commas and quotes.
std::string quoted(const std::string& field) {
  std::string text = "\"";
  for (const char c : field) text += c == '"' ? "\"\"" : std::string(1, c);
  return text + '"';
}

}  // namespace

std::string_view ruleName(Explanation::Rule rule) {
  switch (rule) {
    case Explanation::Rule::Sum:
      return "sum";
    case Explanation::Rule::Share:
      return "share";
    case Explanation::Rule::Largest:
      return "largest";
    case Explanation::Rule::Smallest:
      break;
  }
  return "smallest";
}

double numeratorOf(const StepPart& part) {
  return std::ranges::find(part.terms, true, &PlacedTerm::numerator)->amount;
}

std::string namedFormula(const Program& program, const ExplainedNumber& number,
                         const StepPart& part) {
  FormulaReader reader(program, number.place, part, FormulaReader::Style::Names);
  const std::string right = reader.right();
  return nameOf(program, number.place) + (number.parts.size() > 1 ? " += " : " = ") + right +
         reader.ranges();
}

std::string labelledFormula(const Program& program, const ExplainedNumber& number,
                            const StepPart& part, const TensorNamer& label) {
  FormulaReader reader(program, number.place, part, FormulaReader::Style::Labels, label);
  std::string left = (number.place.gradient ? "d " : "") + label(number.place.tensor);
  const TensorInfo& t = program.tensors[std::size_t(number.place.tensor)];
  if (t.rows * t.cols > 1) {
    std::string at;
    for (const std::int64_t index : indicesOf(program, number.place))
      at += (at.empty() ? "" : ", ") + std::to_string(labelOf(index));
    left += '[' + at + ']';
  }
  const std::string right = reader.right();
  return left + (number.parts.size() > 1 ? " += " : " = ") + right + reader.ranges();
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
    // Of several parts, each adds to the left side.
    const std::string equals = number.parts.size() > 1 ? " &\\mathrel{+}= " : " &= ";
    text += "\\begin{align*}\n" + left + equals + right +
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

TermTable termTable(const Program& program, const ExplainedNumber& number, const ValueOf& valueOf) {
  TermTable table{{"step", "op", "rule", "function", "term", "amount", "factor", "source", "value",
                   "multiplied"}};
  const auto all = [](double value) { return shortText(value, kAllDigits); };
  for (const StepPart& part : number.parts) {
    const Explanation& e = part.explanation;
    const std::string path = part.step->path, op(part.step->op->name), function(e.function);
    if (e.constant != 0.0)
      table.push_back({path, op, std::string(ruleName(e.rule)), function, "constant",
                       all(e.constant), "", "", "", ""});
    for (std::size_t i = 0; i < part.terms.size(); ++i) {
      const PlacedTerm& term = part.terms[i];
      const std::vector<std::string> begin{path,
                                           op,
                                           ruleOf(part, term),
                                           function,
                                           std::to_string(i + 1),
                                           all(term.amount),
                                           term.factors > 0 ? all(term.factor) : ""};
      const auto row = [&](const std::string& source, const std::string& value,
                           const std::string& multiplied) {
        table.push_back(begin);
        table.back().insert(table.back().end(), {source, value, multiplied});
      };
      for (std::size_t s = 0; s < term.sources.size(); ++s)
        row(nameOf(program, term.sources[s]), all(valueOf(term.sources[s])),
            s < term.factors ? "yes" : "no");
      if (term.sources.empty()) row("", "", "");
    }
  }
  return table;
}

std::string csvOf(const Program& program, const ExplainedNumber& number, const ValueOf& valueOf) {
  std::string text;
  for (const std::vector<std::string>& row : termTable(program, number, valueOf)) {
    std::string line;
    for (const std::string& field : row)
      line += (&field == &row.front() ? "" : ",") +
              (field.find_first_of(",\"\n") == std::string::npos ? field : quoted(field));
    text += line + '\n';
  }
  return text;
}

}  // namespace tfm::observe
