// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/plain_words.h"

#include <CLI/App.hpp>
#include <algorithm>

namespace tfm::cli {
namespace {

constexpr char kMark = '\x02';  // "start of text", which has no meaning for the parser
constexpr int kFirstOfVerb = 2;

std::string withoutMark(const std::string& word) {
  return !word.empty() && word.front() == kMark ? word.substr(1) : word;
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
    if (i >= kFirstOfVerb && !option) word.insert(word.begin(), kMark);
    words.push_back(std::move(word));
  }
  std::reverse(words.begin(), words.end());
  return words;
}

void readMarkedWords(CLI::App& verb) {
  for (CLI::Option* option : verb.get_options())
    if (option->get_items_expected_max() > 0) option->transform(withoutMark);
  for (CLI::App* group : verb.get_subcommands([](CLI::App*) { return true; }))
    readMarkedWords(*group);
}

std::string withoutMarks(std::string text) {
  std::erase(text, kMark);
  return text;
}

}  // namespace tfm::cli
