// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/App.hpp>
#include <algorithm>
#include <map>
#include <memory>

#include "app/cli/command_line.h"
#include "app/cli/plain_words.h"
#include "core/base/check.h"
#include "tests/fuzz/fuzz_target.h"

using namespace tfm;

namespace {

using Words = std::vector<std::string>;

/// What each option of the chosen verb was given.
using Given = std::map<std::string, Words>;

void collect(const CLI::App& app, Given& given) {
  for (const CLI::Option* option : app.get_options())
    if (option->count() > 0) given[option->get_name(false, true)] = option->results();
  for (const CLI::App* group : app.get_subcommands([](const CLI::App*) { return true; }))
    collect(*group, given);
}

/// A parser is made once: it takes longer than what it parses.
class Parser {
 public:
  Parser() : app_(cli::makeParser(chosen_)) {}

  /// Throws Error and CLI::ParseError.
  Given parse(const Words& words) {
    std::vector<const char*> argv{"transformarium-cli"};
    for (const std::string& word : words) argv.push_back(word.c_str());
    app_->parse(cli::markedWords(int(argv.size()), argv.data()));
    verb_ = app_->get_subcommands().front();
    Given given;
    collect(*verb_, given);
    return given;
  }

  /// The options as they would be typed.
  Words written(const Given& given) const {
    Words words{verb_->get_name()}, positional;
    write(*verb_, given, words, positional);
    words.push_back("--");
    words.insert(words.end(), positional.begin(), positional.end());
    return words;
  }

  /// Whether each number is written as a decimal number.
  void checkNumbers(const Given& given) const { checkNumbers(*verb_, given); }

 private:
  template <class Visit>
  static void eachOption(const CLI::App& app, const Visit& visit) {
    for (const CLI::Option* option : app.get_options()) visit(*option);
    for (const CLI::App* group : app.get_subcommands([](const CLI::App*) { return true; }))
      eachOption(*group, visit);
  }

  static void write(const CLI::App& app, const Given& given, Words& words, Words& positional) {
    eachOption(app, [&](const CLI::Option& option) {
      const auto found = given.find(option.get_name(false, true));
      if (found == given.end()) return;
      if (option.get_positional()) {
        positional.insert(positional.end(), found->second.begin(), found->second.end());
      } else if (option.get_items_expected_max() == 0) {
        words.insert(words.end(), found->second.size(), option.get_name());
      } else {
        for (const std::string& value : found->second)
          words.insert(words.end(), {option.get_name(), value});
      }
    });
  }

  static void checkNumbers(const CLI::App& app, const Given& given) {
    eachOption(app, [&](const CLI::Option& option) {
      const std::string type = option.get_type_name();
      const auto found = given.find(option.get_name(false, true));
      if (found == given.end() || !(type.starts_with("N:") || type.starts_with("X:"))) return;
      for (const std::string& value : found->second)
        check(!value.empty() && value.find_first_not_of("+-.0123456789eE") == std::string::npos,
              "a number is written with digits");
    });
  }

  cli::Action chosen_;
  std::unique_ptr<CLI::App> app_;
  CLI::App* verb_ = nullptr;
};

}  // namespace

std::vector<std::string> fuzz::seeds() {
  return {"train\n--preset\nrot13\n--steps\n010\n--lr\n0.5\n--out\nx.safetensors",
          "train\n--resume=m.safetensors\n--grow\n5:hidden=16\n--widths\n8,16,64\n--json\n--out=n."
          "safetensors",
          "decode\nm.safetensors\n--temperature\n1e-1\n--\n-5\n[a,b]\n++",
          "explain\nm.safetensors\n--input\nthere\n--number\noutput[1, 20]\n--gradient",
          "eval\nm.safetensors\n--with\noutput[1, 2]=0\n--with\ndecoder.layers.0=mean",
          "study\n--arm\na=rot13\n--arm\nb=rot13,hidden=16\n--seeds\n3\n--out\ns.tsv",
          "expand\nm.safetensors\n--set\nhidden=16\n--out\ng.safetensors",
          "train\n--preset\ndecoder\n--out\ng.safetensors\n--seed\n18446744073709551615",
          "data\n--task\nsentiment\n--data\nx.csv\n--label-first"};
}

/// One argument on each line.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Parser parser;
  const std::string text(fuzz::asText(data, size));
  // An argument ends at a zero, and choosing a device looks for plugins.
  if (text.find('\0') != std::string::npos || text.find("--device") != std::string::npos) return -1;
  Words words;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return fuzz::outcomeOf([&] {
    try {
      const Given given = parser.parse(words);
      parser.checkNumbers(given);
      check(parser.parse(parser.written(given)) == given, "what is given is read as it is written");
    } catch (const CLI::ParseError&) {
      throw Error("refused");
    }
  });
}
