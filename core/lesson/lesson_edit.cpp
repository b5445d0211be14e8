// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/lesson_edit.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <vector>

#include "core/base/error.h"
#include "core/lesson/lesson.h"
#include "core/lesson/situation.h"
#include "core/lesson/source_lines.h"

namespace tfm::lesson {
namespace {

constexpr std::array<std::string_view, 3> kLists{"check", "point", "hints"};
constexpr std::string_view kFence = "```";
constexpr std::string_view kBlock = "```page";

using Lines = std::vector<std::string>;

Lines ownLines(std::string_view text) {
  const auto lines = linesOf(text);
  return {lines.begin(), lines.end()};
}

std::string joined(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

/// Whether YAML reads it as this text, as the value of a key.
bool readsAs(const std::string& yaml, const std::string& text) {
  try {
    return YAML::Load("key: " + yaml)["key"].Scalar() == text;
  } catch (const YAML::Exception&) {
    return false;
  }
}

/// A text as YAML writes it in one line, in quotation marks where it needs them.
std::string yamlOf(const std::string& text) {
  YAML::Emitter plain, marked;
  plain << text;
  if (readsAs(plain.c_str(), text)) return plain.c_str();
  marked << YAML::DoubleQuoted << text;
  return marked.c_str();
}

std::optional<std::size_t> placeAt(const std::vector<Page>& pages, std::int64_t line) {
  std::optional<std::size_t> found;
  for (std::size_t page = 0; page < pages.size() && pages[page].line <= line; ++page) found = page;
  return found;
}

/// The lines of a page, counted from 0: from its heading to the line before the next one.
struct PageLines {
  std::size_t begin = 0, end = 0;
};

std::optional<PageLines> pageLinesAt(std::string_view source, std::int64_t line) {
  const std::vector<Page> pages = readLesson(source, {}).lesson.pages;
  const auto page = placeAt(pages, line);
  if (!page) return std::nullopt;
  const std::size_t next = *page + 1;
  return PageLines{std::size_t(pages[*page].line - 1), next < pages.size()
                                                           ? std::size_t(pages[next].line - 1)
                                                           : linesOf(source).size()};
}

PageLines requirePage(std::string_view source, std::int64_t line) {
  const auto page = pageLinesAt(source, line);
  if (!page)
    throw Error("there is no page at line " + std::to_string(line), {},
                "Put the cursor into a page: below a line such as # What is this?");
  return *page;
}

}  // namespace

std::string newLesson(const std::string& start, const train::WindowState& shown) {
  std::string head =
      "---\ntitle: A new lesson\nneeds: Nothing\ngoals:\n  - Say what ...\nminutes: 15\n";
  head += "start: " + yamlOf(start) + "  # a document beside this file, or preset NAME\n";
  if (const std::string_view text = shownText(shown); !text.empty())
    head += "text: " + yamlOf(std::string(text)) + "\n";
  const std::string source = head +
                             "---\n\n# What is the question of this page?\n\n"
                             "The text of the page. The model has {parameters} weights.\n";
  const auto last = std::ranges::count(source, '\n');
  return shown.screen.empty() ? source : withKey(source, last, "screen", shown.screen);
}

std::optional<std::size_t> pageAt(std::string_view source, std::int64_t line) {
  return placeAt(readLesson(source, {}).lesson.pages, line);
}

std::string withPage(const std::string& source, std::int64_t line) {
  Lines lines = ownLines(source);
  const auto page = pageLinesAt(source, line);
  const auto at = std::ptrdiff_t(page ? page->end : lines.size());
  Lines added{"# What is the question of this page?", "", "The text of the page.", ""};
  if (at > 0 && !lines[std::size_t(at) - 1].empty()) added.insert(added.begin(), "");
  lines.insert(lines.begin() + at, added.begin(), added.end());
  return joined(lines);
}

std::string withKey(const std::string& source, std::int64_t line, std::string_view key,
                    const std::string& value) {
  if (std::ranges::count(pageKeys(), key, &KeyWords::name) == 0)
    throw Error("a page knows no '" + std::string(key) + "'", {},
                "transformarium-cli lesson words lists all keys");
  Lines lines = ownLines(source);
  const PageLines page = requirePage(source, line);
  const auto at = [&](std::size_t place) { return lines.begin() + std::ptrdiff_t(place); };
  auto begin = std::find(at(page.begin), at(page.end), kBlock);
  if (begin == at(page.end)) {
    // After the text of the page.
    auto last = begin;
    while (std::prev(last)->empty()) --last;
    const Lines block{"", std::string(kBlock), std::string(kFence)};
    begin = lines.insert(last, block.begin(), block.end()) + 1;
  }
  const auto end = std::find(begin, lines.end(), kFence);
  const std::string name = std::string(key) + ":";
  const auto is_of_key = [](const std::string& text) {
    return text.starts_with(' ') || text.starts_with("- ");
  };
  const auto found = std::find_if(begin + 1, end, [&](const std::string& text) {
    return text == name || text.starts_with(name + " ");
  });
  const std::string yaml = yamlOf(value);
  const bool lists = std::ranges::count(kLists, key) > 0;
  if (found == end) {
    lines.insert(end, name + " " + yaml);
    return joined(lines);
  }
  const auto last = std::find_if_not(found + 1, end, is_of_key);
  if (!lists) {
    *found = name + " " + yaml;
    lines.erase(found + 1, last);
    return joined(lines);
  }
  Lines added{"  - " + yaml};
  if (*found != name) {
    added.insert(added.begin(), "  - " + found->substr(name.size() + 1));
    *found = name;
  }
  lines.insert(last, added.begin(), added.end());
  return joined(lines);
}

}  // namespace tfm::lesson
