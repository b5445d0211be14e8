// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/bleu.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <unordered_map>

#include "core/base/check.h"
#include "core/io/utf8.h"

namespace tfm::data {
namespace {

using Counts = std::unordered_map<std::string, std::int64_t>;

/// The n-grams of a text for each n.
struct Grams {
  std::array<Counts, kBleuOrder> counts;
  std::int64_t length = 0;
};

/// White space of Python's str.split().
bool isPythonSpace(char32_t c) {
  return (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x20) || c == 0x85 || c == 0xA0 ||
         c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F ||
         c == 0x205F || c == 0x3000;
}

bool isDigit(char32_t c) { return c >= U'0' && c <= U'9'; }
bool isStop(char32_t c) { return c == U'.' || c == U','; }

/// Printable ASCII that is neither letter nor digit, except ' , - and period.
bool isSymbol(char32_t c) {
  return (c >= U'{' && c <= U'~') || (c >= U'[' && c <= U'`') || (c >= U' ' && c <= U'&') ||
         (c >= U'(' && c <= U'+') || (c >= U':' && c <= U'@') || c == U'/';
}

void replaceAll(std::u32string& text, std::u32string_view old, std::u32string_view now) {
  for (std::size_t at = text.find(old); at != text.npos; at = text.find(old, at + now.size()))
    text.replace(at, old.size(), now);
}

/// Rewrites every two neighbours that `matches`, from the front and without overlap, with spaces
/// before, between and after them as told.
template <class Matches>
std::u32string spaced(const std::u32string& text, bool before, bool between, bool after,
                      const Matches& matches) {
  std::u32string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i + 1 == text.size() || !matches(text[i], text[i + 1])) {
      result += text[i];
      continue;
    }
    if (before) result += U' ';
    result += text[i];
    if (between) result += U' ';
    result += text[++i];
    if (after) result += U' ';
  }
  return result;
}

std::u32string withSymbolsApart(const std::u32string& text) {
  std::u32string result;
  for (const char32_t c : text) {
    if (!isSymbol(c)) {
      result += c;
      continue;
    }
    result += U' ';
    result += c;
    result += U' ';
  }
  return result;
}

Grams gramsOf(const std::string& text) {
  const std::vector<std::string> tokens = bleuTokens(text);
  Grams grams;
  grams.length = std::ssize(tokens);
  for (std::size_t first = 0; first < tokens.size(); ++first) {
    std::string gram;
    for (std::size_t n = 0; n < kBleuOrder && first + n < tokens.size(); ++n)
      ++grams.counts[n][gram.append(" ").append(tokens[first + n])];
  }
  return grams;
}

/// Adds the counts of one translation.
void add(const Translation& translation, Bleu& sums) {
  check(!translation.references.empty(), "a translation has a reference");
  const Grams hypothesis = gramsOf(translation.hypothesis);
  std::array<Counts, kBleuOrder> most;  // in any one reference
  std::int64_t closest = 0, distance = std::numeric_limits<std::int64_t>::max();
  for (const std::string& text : translation.references) {
    const Grams reference = gramsOf(text);
    const std::int64_t away = std::abs(hypothesis.length - reference.length);
    if (away < distance || (away == distance && reference.length < closest)) {
      distance = away;
      closest = reference.length;
    }
    for (std::size_t n = 0; n < kBleuOrder; ++n)
      for (const auto& [gram, count] : reference.counts[n])
        most[n][gram] = std::max(most[n][gram], count);
  }
  sums.hypothesis_length += hypothesis.length;
  sums.reference_length += closest;
  for (std::size_t n = 0; n < kBleuOrder; ++n)
    for (const auto& [gram, count] : hypothesis.counts[n]) {
      sums.totals[n] += count;
      if (const auto found = most[n].find(gram); found != most[n].end())
        sums.matches[n] += std::min(count, found->second);
    }
}

std::string signatureOf(std::span<const Translation> translations) {
  const std::size_t first = translations.front().references.size();
  const bool same = std::ranges::all_of(
      translations, [first](const Translation& t) { return t.references.size() == first; });
  return "nrefs:" + (same ? std::to_string(first) : "var") +
         "|case:mixed|eff:no|tok:13a|smooth:exp";
}

double brevityPenalty(std::int64_t hypothesis, std::int64_t reference) {
  if (hypothesis >= reference) return 1.0;
  return hypothesis == 0 ? 0.0 : std::exp(1.0 - double(reference) / double(hypothesis));
}

}  // namespace

std::vector<std::string> bleuTokens(std::string_view text) {
  std::u32string line = io::decodeUtf8(text, "text");
  while (!line.empty() && isPythonSpace(line.back())) line.pop_back();
  replaceAll(line, U"<skipped>", U"");
  replaceAll(line, U"-\n", U"");
  replaceAll(line, U"\n", U" ");
  replaceAll(line, U"&quot;", U"\"");
  replaceAll(line, U"&amp;", U"&");
  replaceAll(line, U"&lt;", U"<");
  replaceAll(line, U"&gt;", U">");
  line = withSymbolsApart(U" " + line + U" ");
  line = spaced(line, false, true, true,
                [](char32_t c, char32_t next) { return !isDigit(c) && isStop(next); });
  line = spaced(line, true, true, false,
                [](char32_t c, char32_t next) { return isStop(c) && !isDigit(next); });
  line = spaced(line, false, true, true,
                [](char32_t c, char32_t next) { return isDigit(c) && next == U'-'; });
  std::vector<std::string> tokens;
  for (std::size_t begin = 0, end = 0; begin < line.size(); begin = end + 1) {
    for (end = begin; end < line.size() && !isPythonSpace(line[end]);) ++end;
    if (end > begin)
      tokens.push_back(io::encodeUtf8(std::u32string_view(line).substr(begin, end - begin)));
  }
  return tokens;
}

Bleu corpusBleu(std::span<const Translation> translations) {
  check(!translations.empty(), "BLEU is of at least one translation");
  Bleu bleu;
  for (const Translation& translation : translations) add(translation, bleu);
  bleu.signature = signatureOf(translations);
  bleu.brevity_penalty = brevityPenalty(bleu.hypothesis_length, bleu.reference_length);
  if (bleu.matches.front() == 0) return bleu;  // then no longer n-gram matches either
  double halved = 1.0, logarithms = 0.0;
  for (std::size_t n = 0; n < kBleuOrder; ++n) {
    if (bleu.totals[n] == 0) return bleu;
    if (bleu.matches[n] == 0) halved *= 2.0;
    const double matches = bleu.matches[n] == 0 ? 1.0 / halved : double(bleu.matches[n]);
    bleu.precisions[n] = 100.0 * matches / double(bleu.totals[n]);
    logarithms += std::log(bleu.precisions[n]);
  }
  bleu.score = bleu.brevity_penalty * std::exp(logarithms / double(kBleuOrder));
  return bleu;
}

}  // namespace tfm::data
