// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/observe/indexed_name.h"

#include <string_view>

#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/io/message_text.h"

namespace tfm::observe {
namespace {

constexpr char kQuote = '\'';

}  // namespace

IndexedName indexedNameIn(const std::string& text, const std::string& where) {
  const auto refused = [&](const std::string& problem) {
    return Error(io::inQuotes(text) + " " + problem, where,
                 "Write NAME[2, 5], counted from 0; a point stands for all: NAME[2, .]");
  };
  IndexedName result;
  const std::size_t open = text.find('[');
  result.name = text.substr(0, open);
  if (open == std::string::npos) return result;
  if (!text.ends_with(']')) throw refused("has text after its indices, or no ']'");
  result.indexed = true;
  std::string_view rest = std::string_view(text).substr(open + 1, text.size() - open - 2);
  for (bool more = true; more;) {
    const std::string_view last = withoutBlanks(rest);
    if (last.size() > 2 && last.front() == kQuote && last.back() == kQuote) {
      result.token = last.substr(1, last.size() - 2);
      break;
    }
    const std::size_t comma = rest.find(',');
    const std::string_view index = withoutBlanks(rest.substr(0, comma));
    const bool all = index == "." || index == ":";
    const auto number = all ? kAllIndices : wholeNumberIn(index);
    if (!all && (!number || *number < 0))
      throw refused(index.empty() ? "lacks an index"
                                  : "has the index " + io::inQuotes(index) +
                                        ", which is not a whole number from 0");
    result.at.push_back(*number);
    more = comma != std::string_view::npos;
    if (more) rest.remove_prefix(comma + 1);
  }
  return result;
}

std::string textOf(const IndexedName& name) {
  if (!name.indexed) return name.name;
  std::string inside;
  const auto add = [&](const std::string& index) {
    inside += (inside.empty() ? "" : ", ") + index;
  };
  for (const std::int64_t index : name.at) add(index == kAllIndices ? "." : std::to_string(index));
  if (name.token) add(kQuote + *name.token + kQuote);
  return name.name + "[" + inside + "]";
}

}  // namespace tfm::observe
