// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/plain_words.h"

#include <CLI/App.hpp>
#include <algorithm>
#include <string_view>

#include "app/cli/output.h"
#include "core/base/error.h"
#include "core/io/message_text.h"
#include "core/io/utf8.h"

namespace tfm::cli {
namespace {

constexpr char kMark = '\x02';  // "start of text", which has no meaning for the parser
constexpr int kFirstOfVerb = 2;

std::string withoutMark(const std::string& word) {
  return !word.empty() && word.front() == kMark ? word.substr(1) : word;
}

/// The name of its type, without its range.
std::string typeOf(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  return type.substr(0, type.find(':'));
}

/// Options for numbers say themselves what they allow.
bool isNumber(const std::string& type) {
  return type == "N" || type == "X" || type == "N,N,..." || type == "X,X,...";
}

/// Without its mark, if it is a text that an option of this kind can have. Throws Error.
std::string checkedWord(const std::string& marked, const std::string& option,
                        const std::string& type) {
  std::string word = withoutMark(marked);
  const std::string place = option.starts_with("--") ? option : kCommandLine + (", " + option);
  if (word.empty() && type != "TEXT" && !isNumber(type))
    throw Error(option + " is empty", place, "Is a shell variable not set?");
  if (type == "FILE" || type == "FOLDER") return word;
  if (const auto at = io::firstInvalidUtf8(word))
    throw Error(
        option + " is not UTF-8: byte " + std::to_string(*at + 1) + " belongs to no character",
        place, "Type it again, or set the terminal to UTF-8; only file names may differ");
  return word;
}

}  // namespace

std::vector<std::string> markedWords(int argc, const char* const* argv) {
  std::vector<std::string> words;
  bool options_end = false;
  for (int i = 1; i < argc; ++i) {
    std::string word = argv[i];
    if (i >= kFirstOfVerb && !options_end && word == "--") {
      options_end = true;
      continue;
    }
    const bool option = word.size() > 1 && word.front() == '-' && !options_end;
    const bool empty = option && word.starts_with("--") && word.find('=') == word.size() - 1;
    if (i >= kFirstOfVerb && !option) word.insert(word.begin(), kMark);
    if (empty) word.pop_back();
    words.push_back(std::move(word));
    if (empty) words.emplace_back(1, kMark);
  }
  std::reverse(words.begin(), words.end());
  return words;
}

std::string nameOf(const CLI::Option& option) {
  std::string names;
  for (const std::string& name : option.get_lnames())
    names += (names.empty() ? "--" : " or --") + name;
  return names.empty() ? typeOf(option) : names;
}

void readMarkedWords(CLI::App& verb) {
  for (CLI::Option* option : verb.get_options())
    if (option->get_items_expected_max() > 0)
      option->transform([place = nameOf(*option), type = typeOf(*option)](const std::string& word) {
        return checkedWord(word, place, type);
      });
    else
      option->check([place = nameOf(*option)](const std::string& word) {
        if (word != "true" && word != "false")
          throw Error(place + " is " + io::inQuotes(word), place, "Allowed: true or false");
        return std::string();
      });
  for (CLI::App* group : verb.get_subcommands([](CLI::App*) { return true; }))
    readMarkedWords(*group);
}

std::string withoutMarks(std::string text) {
  std::erase(text, kMark);
  return text;
}

}  // namespace tfm::cli
