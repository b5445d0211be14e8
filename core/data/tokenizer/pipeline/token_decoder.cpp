// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/tokenizer/pipeline/token_decoder.h"

#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/data/tokenizer/pipeline/byte_letters.h"
#include "core/data/tokenizer/pipeline/pattern.h"
#include "core/data/tokenizer/pipeline/step_reader.h"
#include "core/io/utf8.h"

namespace tfm::data {
namespace {

using io::ObjectReader;
using Tokens = std::vector<std::string>;

void fuse(Tokens& tokens) {
  std::string all;
  for (const std::string& token : tokens) all += token;
  tokens = {std::move(all)};
}

void bytesOfLetters(Tokens& tokens) {
  for (std::string& token : tokens) token = lettersToBytes(token).value_or(token);
  fuse(tokens);
  tokens.front() = io::repairedUtf8(tokens.front());
}

TokenDecoder decodeByteLevel(ObjectReader& settings) {
  for (const char* name : {"add_prefix_space", "trim_offsets", "use_regex"}) settings.child(name);
  return bytesOfLetters;
}

TokenDecoder decodeMetaspace(ObjectReader& settings) {
  const auto mark = settings.get<std::string>("replacement", "▁");
  const bool prefix = settings.get("add_prefix_space", true);
  const bool drops =
      settings.get<std::string>("prepend_scheme", prefix ? "always" : "never") != "never";
  for (const char* name : {"split", "str_rep"}) settings.child(name);
  return [marks = Pattern::literal(mark), drops](Tokens& tokens) {
    for (std::size_t i = 0; i < tokens.size(); ++i)
      tokens[i] = marks.replaced(tokens[i], i == 0 && drops ? "" : " ");
  };
}

TokenDecoder decodeReplace(ObjectReader& settings) {
  const nlohmann::json* pattern = settings.child("pattern");
  return [search =
              Pattern::fromJson(pattern == nullptr ? nlohmann::json() : *pattern, settings.where()),
          by = settings.get<std::string>("content", "")](Tokens& tokens) {
    for (std::string& token : tokens) token = search.replaced(token, by);
  };
}

/// Runs of names of bytes become the text they are, or as many U+FFFD.
void namedBytes(Tokens& tokens) {
  Tokens result;
  std::string bytes;
  const auto flush = [&] {
    if (!io::firstInvalidUtf8(bytes)) {
      if (!bytes.empty()) result.push_back(bytes);
    } else {
      result.insert(result.end(), bytes.size(), "\uFFFD");
    }
    bytes.clear();
  };
  for (std::string& token : tokens) {
    if (const auto byte = namedByte(token)) {
      bytes += static_cast<char>(*byte);
      continue;
    }
    flush();
    result.push_back(std::move(token));
  }
  flush();
  tokens = std::move(result);
}

TokenDecoder decodeStrip(ObjectReader& settings) {
  const auto mark = settings.get<std::string>("content", " ");
  const auto first = settings.get<std::int64_t>("start", 0);
  const auto last = settings.get<std::int64_t>("stop", 0);
  if (mark.empty()) settings.throwInvalid("content", "a character");
  return [mark, first, last](Tokens& tokens) {
    for (std::string& token : tokens) {
      for (std::int64_t i = 0; i < first && token.starts_with(mark); ++i)
        token.erase(0, mark.size());
      for (std::int64_t i = 0; i < last && token.ends_with(mark); ++i)
        token.resize(token.size() - mark.size());
    }
  };
}

/// Spaces that English text does not have.
std::string cleaned(std::string text) {
  constexpr std::array<std::pair<const char*, const char*>, 11> kWrong{{{" .", "."},
                                                                        {" ?", "?"},
                                                                        {" !", "!"},
                                                                        {" ,", ","},
                                                                        {" ' ", "'"},
                                                                        {" n't", "n't"},
                                                                        {" 'm", "'m"},
                                                                        {" do not", " don't"},
                                                                        {" 's", "'s"},
                                                                        {" 've", "'ve"},
                                                                        {" 're", "'re"}}};
  for (const auto& [wrong, right] : kWrong) text = Pattern::literal(wrong).replaced(text, right);
  return text;
}

TokenDecoder decodeWordPiece(ObjectReader& settings) {
  const auto prefix = settings.get<std::string>("prefix", "##");
  const bool clean = settings.get("cleanup", true);
  return [prefix, clean](Tokens& tokens) {
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (i > 0 && tokens[i].starts_with(prefix))
        tokens[i].erase(0, prefix.size());
      else if (i > 0)
        tokens[i].insert(0, 1, ' ');
      if (clean) tokens[i] = cleaned(tokens[i]);
    }
  };
}

TokenDecoder decodeWordEnds(ObjectReader& settings) {
  return [ends = Pattern::literal(settings.get<std::string>("suffix", "</w>"))](Tokens& tokens) {
    for (std::size_t i = 0; i < tokens.size(); ++i)
      tokens[i] = ends.replaced(tokens[i], i + 1 == tokens.size() ? "" : " ");
  };
}

TokenDecoder decodeSequence(ObjectReader& settings) {
  return [steps = readSteps(settings, "decoders", tokenDecoderFrom)](Tokens& tokens) {
    for (const TokenDecoder& step : steps) step(tokens);
  };
}

constexpr std::array kDecoders{
    StepKind<TokenDecoder>{"Sequence", decodeSequence},
    StepKind<TokenDecoder>{"ByteLevel", decodeByteLevel},
    StepKind<TokenDecoder>{"Metaspace", decodeMetaspace},
    StepKind<TokenDecoder>{"Replace", decodeReplace},
    StepKind<TokenDecoder>{"ByteFallback",
                           [](ObjectReader&) -> TokenDecoder { return namedBytes; }},
    StepKind<TokenDecoder>{"Fuse", [](ObjectReader&) -> TokenDecoder { return fuse; }},
    StepKind<TokenDecoder>{"Strip", decodeStrip},
    StepKind<TokenDecoder>{"WordPiece", decodeWordPiece},
    StepKind<TokenDecoder>{"BPEDecoder", decodeWordEnds},
};

/// Without a decoder: spaces between the tokens.
void spaced(Tokens& tokens) {
  for (std::size_t i = 1; i < tokens.size(); ++i) tokens[i].insert(0, 1, ' ');
}

}  // namespace

TokenDecoder tokenDecoderFrom(const nlohmann::json& object, const std::string& where) {
  if (object.is_null()) return spaced;
  return readStep<TokenDecoder>(kDecoders, object, where);
}

}  // namespace tfm::data
