// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/observe/formula_reader.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <set>
#include <utility>

#include "core/base/index_label.h"
#include "core/observe/op_words.h"
#include "core/observe/tensor_shape.h"

namespace tfm::observe {
namespace {

bool isWordCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool isLetter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

void replaceAll(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

/// The index of the bracket that closes the one at `open`, or the end.
std::size_t closing(std::string_view text, std::size_t open) {
  const char begins = text[open], ends = begins == '[' ? ']' : ')';
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (text[i] == begins) ++depth;
    if (text[i] == ends && --depth == 0) return i;
  }
  return text.size() - 1;
}

/// Parts at commas outside brackets, without spaces around them.
std::vector<std::string_view> atCommas(std::string_view text) {
  std::vector<std::string_view> parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && (text[i] == '[' || text[i] == '(')) ++depth;
    if (i < text.size() && (text[i] == ']' || text[i] == ')')) --depth;
    if (i < text.size() && (text[i] != ',' || depth > 0)) continue;
    while (begin < i && text[begin] == ' ') ++begin;
    parts.push_back(text.substr(begin, i - begin));
    begin = i + 1;
  }
  return parts;
}

bool isOneLetter(std::string_view text) { return text.size() == 1 && isLetter(text.front()); }

}  // namespace

std::string latexName(std::string_view name) {
  std::string text = "\\texttt{";
  for (const char c : name) {
    if (std::string_view("_#%&{}$").find(c) != std::string_view::npos) text += '\\';
    text += c;
  }
  return text + '}';
}

FormulaReader::FormulaReader(const Program& program, const NumberPlace& of, const StepPart& part,
                             Style style, TensorNamer label)
    : program_(program), part_(part), style_(style), label_(std::move(label)) {
  const std::string_view formula = part.explanation.formula;
  const std::size_t equals = formula.find(" = ");
  left_ = formula.substr(0, equals);
  right_ = formula.substr(equals + 3);
  addSymbols();
  bindLetters(of);
  dropAbsent();
}

void FormulaReader::addSymbols() {
  for (const OpSymbol& symbol : symbolsOf(*part_.step->op)) {
    const auto& ids = symbol.output ? part_.step->outputs : part_.step->inputs;
    TensorId id = symbol.index < ids.size() ? ids[symbol.index] : kNoTensor;
    if (id != kNoTensor && program_.tensors[std::size_t(id)].window_of != kNoTensor)
      id = program_.tensors[std::size_t(id)].window_of;
    known_.push_back({symbol.text, id, false, symbol.statistic, !symbol.output});
    known_.push_back({'d' + symbol.text, id, true, symbol.statistic, !symbol.output});
  }
  // A symbol before what begins like it, and "dropped" before the derivative of a "ropped".
  std::ranges::stable_sort(known_, std::greater<>{},
                           [](const Symbol& symbol) { return symbol.text.size(); });
}

void FormulaReader::bindLetters(const NumberPlace& of) {
  const std::size_t open = left_.find('[');
  if (open == std::string::npos) return;
  const auto letters = atCommas(std::string_view(left_).substr(open + 1, left_.size() - open - 2));
  const std::vector<std::int64_t> at = indicesOf(program_, of);
  const Role role = program_.tensors[std::size_t(of.tensor)].role;
  const bool of_texts = program_.shape.sequences > 1 && at.size() > letters.size() &&
                        role != Role::Parameter && role != Role::Constant;
  if (of_texts) text_ = indexText(at.front()) + ", ";
  if (letters.size() == 1) {
    letters_.emplace(letters.front(), letters.front() == "c" ? at.back() : at[of_texts ? 1 : 0]);
    return;
  }
  for (std::size_t i = 0; i < letters.size() && i < at.size(); ++i)
    letters_.emplace(letters[letters.size() - 1 - i], at[at.size() - 1 - i]);
}

/// A term with an input that the step does not have, such as a bias.
void FormulaReader::dropAbsent() {
  for (const Symbol& symbol : known_) {
    if (symbol.tensor != kNoTensor || !symbol.input) continue;
    const std::size_t at = right_.find(' ' + symbol.text + '[');
    if (at == std::string::npos) continue;
    const std::size_t begin = right_.rfind(" + ", at);
    if (begin == std::string::npos) continue;
    const std::size_t end = closing(right_, at + 1 + symbol.text.size());
    right_.erase(begin, end + 1 - begin);
  }
}

const FormulaReader::Symbol* FormulaReader::symbolAt(std::string_view text, std::size_t at) const {
  for (const Symbol& symbol : known_) {
    if (text.substr(at, symbol.text.size()) != symbol.text) continue;
    const std::size_t end = at + symbol.text.size();
    if (end == text.size() || !isWordCharacter(text[end])) return &symbol;
  }
  return nullptr;
}

std::string FormulaReader::named(const Symbol& symbol) {
  const auto of = [&](const SymbolMeaning& meaning) { return meaning.symbol == symbol.text; };
  if (symbol.tensor != kNoTensor && std::ranges::none_of(symbols_, of))
    symbols_.push_back({symbol.text, symbol.tensor, symbol.statistic});
  if (style_ != Style::Latex) {
    if (symbol.statistic || symbol.tensor == kNoTensor) return symbol.text;
    return (symbol.gradient ? "d " : "") +
           (style_ == Style::Labels ? label_(symbol.tensor)
                                    : program_.tensors[std::size_t(symbol.tensor)].name);
  }
  std::string text = symbol.gradient ? symbol.text.substr(1) : symbol.text;
  if (text.size() > 1) {
    replaceAll(text, "_", "\\_");
    text = (text.find(' ') == std::string::npos ? "\\mathrm{" : "\\text{") + text + '}';
  }
  return symbol.gradient ? "\\mathrm{d}" + text : text;
}

std::vector<std::vector<std::int64_t>> FormulaReader::placesOf(const Symbol& symbol) const {
  std::vector<std::vector<std::int64_t>> places;
  const TensorInfo& t = program_.tensors[std::size_t(symbol.tensor)];
  const std::vector<std::int64_t> shape = tensorShape(program_, t.name);
  for (const PlacedTerm& term : part_.terms)
    for (const NumberPlace& source : term.sources)
      if (source.tensor == symbol.tensor && source.gradient == symbol.gradient)
        places.push_back(indicesOf(t, shape, source));
  return places;
}

/// What stands in the brackets behind a symbol.
std::string FormulaReader::place(const Symbol& symbol, std::string_view inside) {
  const auto open = [&](const std::string& text) {
    return style_ == Style::Latex ? "_{" + text + '}' : '[' + text + ']';
  };
  const std::vector<std::string_view> given = atCommas(inside);
  const auto places =
      symbol.tensor == kNoTensor ? std::vector<std::vector<std::int64_t>>{} : placesOf(symbol);
  if (places.empty()) {
    std::string text;
    for (const std::string_view each : given)
      text += (text.empty() ? "" : ", ") + written(each, true);
    const bool ids = symbol.tensor != kNoTensor &&
                     program_.tensors[std::size_t(symbol.tensor)].role == Role::Ids;
    return open(ids ? text_ + text : text);
  }
  const TensorInfo& t = program_.tensors[std::size_t(symbol.tensor)];
  const std::size_t dimensions = symbol.statistic ? 1 : places.front().size();
  // One index is of the last dimension, unless that is a single column.
  const bool rows =
      given.size() == 1 && dimensions > 1 && t.cols == 1 && t.rows > 1 && t.role != Role::Ids;
  std::string text;
  for (std::size_t d = 0; d < dimensions; ++d) {
    std::set<std::int64_t> values;
    for (const auto& at : places) values.insert(at[d]);
    const std::size_t skipped = dimensions - std::min(dimensions, given.size()) - (rows ? 1 : 0);
    const bool has = d >= skipped && d - skipped < given.size();
    const std::string_view index = has ? given[d - skipped] : std::string_view("*");
    if (d > 0) text += ", ";
    if (values.size() == 1) {
      text += indexText(*values.begin());
      continue;
    }
    if (isOneLetter(index) && !letters_.contains(index)) {
      const std::int64_t first = *values.begin(), last = *values.rbegin();
      ranges_.insert_or_assign(std::string(index),
                               Range{first, last, last - first + 1 == std::ssize(values)});
    }
    text += written(index, true);
  }
  return open(text);
}

std::string FormulaReader::indexText(std::int64_t index) const {
  return std::to_string(style_ == Style::Labels ? labelOf(index) : index);
}

/// Whether a space in a formula stands for a product: "x[r, c] W[j]", "2 scale (x - y)".
bool FormulaReader::multiplies(std::string_view text, std::size_t space) const {
  if (space == 0 || space + 1 >= text.size()) return false;
  const char before = text[space - 1];
  if (before != ']' && before != ')') return false;
  return symbolAt(text, space + 1) != nullptr;
}

/// The value of an index such as "t", "2t" or "2t + 1", if the number's place gives that of t.
std::optional<std::int64_t> FormulaReader::indexIn(std::string_view text) const {
  const auto isDigit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  const auto whole = [](std::string_view digits) {
    std::int64_t number = 0;
    for (const char c : digits) number = 10 * number + (c - '0');
    return number;
  };
  const std::size_t at = std::size_t(std::ranges::find_if_not(text, isDigit) - text.begin());
  if (at == text.size()) return std::nullopt;
  const auto letter = letters_.find(text.substr(at, 1));
  if (letter == letters_.end()) return std::nullopt;
  const std::int64_t product = (at == 0 ? 1 : whole(text.substr(0, at))) * letter->second;
  const std::string_view behind = text.substr(at + 1);
  if (behind.empty()) return product;
  if (!behind.starts_with(" + ") || !std::ranges::all_of(behind.substr(3), isDigit))
    return std::nullopt;
  return product + whole(behind.substr(3));
}

std::string FormulaReader::word(std::string_view word) const {
  if (const auto letter = letters_.find(word); letter != letters_.end())
    return indexText(letter->second);
  std::string text(word);
  if (style_ != Style::Latex) return text;
  if (text.starts_with("sum_")) return "\\sum_{" + text.substr(4) + '}';
  if (const std::size_t low = text.find('_'); low != std::string::npos)
    return "\\mathrm{" + text.substr(0, low) + "}_{" + text.substr(low + 1) + '}';
  if (text == "exp" || text == "log") return '\\' + text + ' ';
  if (text.size() == 1 || !isLetter(text.front())) return text;
  return "\\text{" + text + '}';
}

std::string FormulaReader::written(std::string_view text, bool inside) {
  if (inside)
    if (const auto index = indexIn(text)) return indexText(*index);
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    const bool begins = isLetter(text[i]) && (i == 0 || !isWordCharacter(text[i - 1]));
    if (const Symbol* symbol = begins ? symbolAt(text, i) : nullptr) {
      const std::size_t end = i + symbol->text.size();
      const bool placed = end < text.size() && text[end] == '[';
      if (placed || (!inside && !letters_.contains(symbol->text))) {
        result += named(*symbol);
        i = end;
        if (!placed) continue;
        const std::size_t close = closing(text, end);
        result += place(*symbol, text.substr(end + 1, close - end - 1));
        i = close + 1;
        continue;
      }
    }
    if (begins || (std::isdigit(static_cast<unsigned char>(text[i])) != 0)) {
      std::size_t end = i;
      while (end < text.size() && isWordCharacter(text[end])) ++end;
      const std::string_view whole = text.substr(i, end - i);
      if (style_ == Style::Latex && whole == "sqrt" && end < text.size() && text[end] == '(') {
        const std::size_t close = closing(text, end);
        result += "\\sqrt{" + written(text.substr(end + 1, close - end - 1), inside) + '}';
        i = close + 1;
        continue;
      }
      // "2t" is twice a letter.
      std::size_t digits = 0;
      while (digits < whole.size() && std::isdigit(static_cast<unsigned char>(whole[digits])) != 0)
        ++digits;
      result += whole.substr(0, digits);
      if (digits < whole.size()) {
        const std::string rest = word(whole.substr(digits));
        const bool product = digits > 0 && std::isdigit(static_cast<unsigned char>(rest[0])) != 0;
        result += (product ? (style_ == Style::Latex ? " \\cdot " : " * ") : "") + rest;
      }
      i = end;
      continue;
    }
    if (text[i] == '[') {  // 1 where it is so, otherwise 0
      const std::size_t close = closing(text, i);
      result += '[' + written(text.substr(i + 1, close - i - 1), true) + ']';
      i = close + 1;
      continue;
    }
    if (style_ == Style::Latex && text[i] == '*')
      result += "\\cdot";
    else if (style_ == Style::Latex && text[i] == ' ')
      result += "\\ ";
    else if (style_ == Style::Labels && text[i] == ' ' && multiplies(text, i))
      result += " · ";
    else
      result += text[i];
    ++i;
  }
  return result;
}

std::string FormulaReader::right() { return written(right_, false); }

std::string FormulaReader::left() {
  std::size_t end = left_.find('[');
  if (end == std::string::npos) end = left_.size();
  const Symbol* symbol = symbolAt(left_, 0);
  std::string text = symbol == nullptr ? word(left_.substr(0, end)) : named(*symbol);
  if (end == left_.size()) return text;
  return text + "_{" +
         written(std::string_view(left_).substr(end + 1, left_.size() - end - 2), true) + '}';
}

std::string FormulaReader::ranges() const {
  std::string text;
  for (const auto& [letter, range] : ranges_)
    text += ", " + letter + " = " + indexText(range.first) + " ... " + indexText(range.last) +
            (range.whole ? "" : " (not all)");
  return text;
}

}  // namespace tfm::observe
