// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/tokenizer/pipeline/tokenizer_folder.h"

#include <nlohmann/json.hpp>
#include <string>
#include <system_error>

#include "core/base/error.h"
#include "core/data/tokenizer/pipeline/gguf_tokenizer.h"
#include "core/io/json_guard.h"
#include "core/io/text_file.h"
#include "core/model/pretrained/pretrained_model.h"

namespace tfm::data {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kEndOfText = "<|endoftext|>";

bool isThere(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

/// GPT-2's older files as a tokenizer.json.
json gpt2Json(const fs::path& folder) {
  const fs::path vocabulary = folder / "vocab.json";
  json tokens =
      io::parseJson(io::readTextFile(vocabulary, kMaxTokenizerBytes), vocabulary.string());
  if (!tokens.is_object())
    throw Error("this is no vocabulary", vocabulary.string(), "Expected tokens with their ids");
  json merges = json::array();
  const std::string text = io::readTextFile(folder / "merges.txt", kMaxTokenizerBytes);
  for (const std::string& line : vocabularyLines(text))
    if (!line.empty() && !line.starts_with("#version")) merges.push_back(line);
  json added = json::array();
  if (tokens.contains(kEndOfText))
    added.push_back({{"id", tokens[kEndOfText]}, {"content", kEndOfText}, {"special", true}});
  const json letters{{"type", "ByteLevel"}, {"add_prefix_space", false}};
  return {
      {"added_tokens", std::move(added)},
      {"pre_tokenizer", letters},
      {"decoder", letters},
      {"model", {{"type", "BPE"}, {"vocab", std::move(tokens)}, {"merges", std::move(merges)}}}};
}

}  // namespace

std::unique_ptr<PipelineTokenizer> readPipelineTokenizer(const fs::path& folder,
                                                         std::int64_t rows) {
  if (isGguf(folder))
    return parsePipelineTokenizer(ggufTokenizerJson(io::openGguf(folder), folder.string()),
                                  folder.string(), rows);
  const fs::path whole = folder / "tokenizer.json";
  if (isThere(whole))
    return parsePipelineTokenizer(io::readTextFile(whole, kMaxTokenizerBytes), whole.string(),
                                  rows);
  if (isThere(folder / "vocab.json") && isThere(folder / "merges.txt"))
    return parsePipelineTokenizer(gpt2Json(folder).dump(), folder.string(), rows);
  throw Error("there is no tokenizer", folder.string(),
              "Copy the model's tokenizer.json there, or its vocab.json and merges.txt");
}

}  // namespace tfm::data
