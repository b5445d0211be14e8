// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/App.hpp>
#include <algorithm>
#include <array>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "app/cli/at_option.h"
#include "app/cli/common_options.h"
#include "app/cli/output.h"
#include "app/cli/verbs.h"
#include "core/base/error.h"
#include "core/data/cleaning.h"
#include "core/data/tokenizer/tokenizer.h"
#include "core/io/text_file.h"
#include "core/io/utf8.h"

namespace tfm::cli {
namespace {

constexpr std::int64_t kMostTokens = 1'000'000'000;

struct TokenizeArguments {
  std::vector<std::string> texts;
  std::string tokenizer = "wordpiece";
  std::string vocabulary;
  std::string learn;
  data::TokenizerConfig config;
  bool clean = false;
  bool json = false;
};

std::unique_ptr<data::Tokenizer> tokenizerOf(const TokenizeArguments& o) {
  data::TokenizerConfig config = o.config;
  config.kind = atOption("--tokenizer", [&] { return data::findTokenizer(o.tokenizer); });
  const std::string& file = o.learn.empty() ? o.vocabulary : o.learn;
  std::vector<std::string> corpus;
  if (o.learn.empty()) {
    config.vocabulary = io::readTextFile(file);
  } else {
    const std::string text = io::readTextFile(file);
    corpus.push_back(o.clean ? data::cleanText(text) : text);
  }
  try {
    return data::makeTokenizer(config, corpus);
  } catch (const Error& error) {
    throw Error(error.problem(), file, error.hint());
  }
}

std::vector<std::string> linesOfInput() {
  std::vector<std::string> lines;
  for (std::string line; std::getline(std::cin, line);) lines.push_back(line);
  return lines;
}

/// Each piece above its id.
void printColumns(const data::Vocabulary& vocabulary, const data::Ids& ids) {
  std::array<std::string, 2> lines;
  for (const std::int32_t id : ids) {
    const std::array cells{vocabulary.label(id), std::to_string(id)};
    const std::array widths{io::decodeUtf8(cells[0]).size(), cells[1].size()};
    const std::size_t column = std::max(widths[0], widths[1]) + 1;
    for (std::size_t i = 0; i < lines.size(); ++i)
      lines[i] += cells[i] + std::string(column - widths[i], ' ');
  }
  for (std::string& line : lines) {
    line.erase(line.find_last_not_of(' ') + 1);
    std::cout << line << '\n';
  }
}

int runTokenize(const TokenizeArguments& o) {
  const std::unique_ptr<data::Tokenizer> tokenizer = tokenizerOf(o);
  const data::Vocabulary& vocabulary = tokenizer->vocabulary();
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const std::string& given : o.texts.empty() ? linesOfInput() : o.texts) {
    const std::string text = o.clean ? data::cleanText(given) : given;
    const data::Ids ids = tokenizer->encode(text);
    if (!o.json) {
      printColumns(vocabulary, ids);
      continue;
    }
    nlohmann::ordered_json pieces = nlohmann::ordered_json::array();
    for (const std::int32_t id : ids) pieces.push_back(vocabulary.token(id));
    rows.push_back({{"text", text}, {"pieces", pieces}, {"ids", ids}});
  }
  if (o.json) printJson({{"vocabulary_size", vocabulary.size()}, {"texts", rows}});
  return kDone;
}

}  // namespace

Action prepareTokenize(CLI::App& app) {
  const auto o = std::make_shared<TokenizeArguments>();
  app.add_option("texts", o->texts, "Texts to tokenize; default: the lines of standard input")
      ->type_name("TEXT");
  app.add_option("--tokenizer", o->tokenizer, "character, word, wordpiece or bpe")
      ->capture_default_str()
      ->type_name("KIND");
  CLI::Option_group* tokens = app.add_option_group("Vocabulary", "Where the tokens come from");
  CLI::Option* given =
      tokens->add_option("--vocabulary", o->vocabulary, "A file with one token per line, from id 0")
          ->type_name("FILE");
  tokens->add_option("--learn", o->learn, "A text file to learn the tokens from")
      ->type_name("FILE");
  tokens->require_option(1);
  addNumber(app, "--vocabulary-size", o->config.vocabulary_size, 1, kMostTokens,
            "Maximum size of a learned vocabulary")
      ->excludes(given);
  addNumber(app, "--least-count", o->config.least_count, 1, kMostTokens,
            "Rarer tokens are not learned")
      ->excludes(given);
  app.add_flag("--clean", o->clean, "Keep only a-z, 0-9 and single spaces of the texts");
  addJsonFlag(app, o->json);
  return [o] { return runTokenize(*o); };
}

}  // namespace tfm::cli
