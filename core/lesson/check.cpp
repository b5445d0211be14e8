// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/check.h"

#include <algorithm>

#include "core/base/check.h"
#include "core/base/number_text.h"
#include "core/expand/kinds.h"
#include "core/lesson/check_words.h"
#include "core/lesson/targets.h"

namespace tfm::lesson {
namespace {

std::size_t wordLength(std::string_view text) {
  return std::min(text.find_first_of(" ,"), text.size());
}

/// The text between quotation marks, in which \" is a mark.
std::string withoutMarks(std::string_view quoted) {
  std::string text;
  for (std::size_t i = 1; i + 1 < quoted.size(); ++i) {
    if (quoted[i] == '\\') ++i;
    text += quoted[i];
  }
  return text;
}

/// The reverse.
std::string inMarks(std::string_view text) {
  std::string marked = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') marked += '\\';
    marked += c;
  }
  return marked + '"';
}

using Choices = std::vector<std::string_view>;

template <class Range>
Choices listed(const Range& words) {
  return {words.begin(), words.end()};
}

struct SlotRow {
  Slot slot;
  Choices (*choices)() = nullptr;  ///< all that it can hold, if that is few
  /// Else how many characters at the beginning of a text fit it; 0: none.
  std::size_t (*fits)(std::string_view text) = nullptr;
};

const SlotRow kSlots[] = {
    {{"<number>", "a number, such as 0.9"},
     nullptr,
     [](std::string_view text) {
       const std::size_t length = wordLength(text);
       return realNumberIn(text.substr(0, length)) ? length : 0;
     }},
    {{"<whole>", "a whole number, such as 100"},
     nullptr,
     [](std::string_view text) {
       const std::size_t length = wordLength(text);
       const auto number = wholeNumberIn(text.substr(0, length));
       return number && *number >= 0 ? length : 0;
     }},
    {{"<text>", "a text in quotation marks, such as \"there\"; in it, \\\" is a mark"},
     nullptr,
     [](std::string_view text) -> std::size_t {
       if (!text.starts_with('"')) return 0;
       std::size_t end = 1;
       while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
       return end < text.size() ? end + 1 : 0;
     }},
    {{"<screen>", "Train, Attention, Matrices, Grow, Elastic, Write, Shape or Flow"},
     [] { return listed(screens()); }},
    {{"<attention>", "cross-attention, encoder self-attention or decoder self-attention"},
     [] { return listed(kAttentions); }},
    {{"<stage>", "scores, scaled, masked or softmax"}, [] { return listed(kStages); }},
    {{"<pin>", "A or B"}, [] { return listed(kPins); }},
    {{"<expansion>", "an expansion, such as feed-forward width"},
     [] {
       Choices words;
       for (const expand::KindRow& row : expand::kinds()) words.push_back(row.words);
       return words;
     }},
};

const SlotRow& slotNamed(std::string_view name) {
  const auto row =
      std::ranges::find_if(kSlots, [&](const SlotRow& r) { return r.slot.name == name; });
  check(row != std::end(kSlots), "every slot of a pattern has a row");
  return *row;
}

/// How many characters at the beginning of `text` fit a slot; 0: none. The longest choice counts.
std::size_t fitting(std::string_view slot, std::string_view text) {
  const SlotRow& row = slotNamed(slot);
  if (row.fits != nullptr) return row.fits(text);
  std::size_t longest = 0;
  for (const std::string_view word : row.choices())
    if (text.starts_with(word)) longest = std::max(longest, word.size());
  return longest;
}

/// How far a text follows a pattern, and what its slots hold.
struct Match {
  Words words;
  std::size_t read = 0;         ///< characters of the text
  std::string_view unfit = {};  ///< the slot that what follows does not fit
  bool whole = false;
};

Match match(std::string_view pattern, std::string_view text) {
  Match match;
  while (!pattern.empty()) {
    const std::string_view rest = text.substr(match.read);
    if (pattern.front() != '<') {
      const std::size_t length = std::min(pattern.find('<'), pattern.size());
      const std::size_t same =
          std::size_t(std::ranges::mismatch(pattern.substr(0, length), rest).in2 - rest.begin());
      match.read += same;
      if (same < length) return match;
      pattern.remove_prefix(length);
      continue;
    }
    const std::string_view slot = pattern.substr(0, pattern.find('>') + 1);
    const std::size_t length = fitting(slot, rest);
    if (length == 0) {
      match.unfit = slot;
      return match;
    }
    std::string word(rest.substr(0, length));
    if (word.front() == '"') word = withoutMarks(word);
    match.words.push_back(std::move(word));
    match.read += length;
    pattern.remove_prefix(slot.size());
  }
  match.whole = match.read == text.size();
  return match;
}

std::string shownPattern(std::string_view pattern) { return "'" + std::string(pattern) + "'"; }

/// The slots of a pattern, with the words around them.
std::string filled(std::string_view pattern, const Words& words) {
  std::string text;
  std::size_t next = 0;
  while (!pattern.empty()) {
    if (pattern.front() != '<') {
      text += pattern.front();
      pattern.remove_prefix(1);
      continue;
    }
    const std::string_view slot = pattern.substr(0, pattern.find('>') + 1);
    text += slot == "<text>" ? inMarks(words[next]) : words[next];
    ++next;
    pattern.remove_prefix(slot.size());
  }
  return text;
}

/// All words that a pattern's slots can hold, where each has few choices.
std::vector<Words> allWords(std::string_view pattern) {
  std::vector<Words> all{{}};
  for (std::size_t at = 0; (at = pattern.find('<', at)) != std::string_view::npos; ++at) {
    const std::string_view slot = pattern.substr(at, pattern.find('>', at) + 1 - at);
    std::vector<Words> longer;
    for (const Words& words : all)
      for (const std::string_view choice : slotNamed(slot).choices()) {
        longer.push_back(words);
        longer.back().emplace_back(choice);
      }
    all = std::move(longer);
  }
  return all;
}

}  // namespace

std::span<const Slot> slotWords() {
  static const auto all = [] {
    std::vector<Slot> names;
    for (const SlotRow& row : kSlots) names.push_back(row.slot);
    return names;
  }();
  return all;
}

Check checkFromText(const std::string& text) {
  std::size_t nearest = 0;
  Match best;
  for (std::size_t kind = 0; kind < checkKinds().size(); ++kind) {
    Match found = match(checkKinds()[kind].pattern, text);
    if (found.whole) return {kind, std::move(found.words), text};
    if (found.read > best.read) best = std::move(found), nearest = kind;
  }
  if (!best.unfit.empty())
    throw Error("'" + text.substr(best.read) + "' is not " +
                    std::string(slotNamed(best.unfit).slot.allowed),
                {}, "Write " + shownPattern(checkKinds()[nearest].pattern));
  constexpr std::size_t kTellsSomething = 6;  // characters in common
  throw Error("there is no check '" + text + "'", {},
              best.read < kTellsSomething
                  ? "transformarium-cli lesson words lists all"
                  : "Did you mean " + shownPattern(checkKinds()[nearest].pattern) + "?");
}

bool holds(const Check& check, const Situation& situation) {
  return checkKinds()[check.kind].holds(situation, check.words);
}

void perform(const Check& check, Desk& desk) {
  checkKinds()[check.kind].perform(desk, check.words);
}

std::vector<std::string> checksThatHold(const Situation& now) {
  std::vector<std::string> texts;
  for (const CheckKind& kind : checkKinds())
    for (const Words& words : kind.seen != nullptr ? kind.seen(now) : allWords(kind.pattern))
      if (kind.holds(now, words)) texts.push_back(filled(kind.pattern, words));
  return texts;
}

}  // namespace tfm::lesson
