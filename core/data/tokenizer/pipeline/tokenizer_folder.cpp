// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/tokenizer/pipeline/tokenizer_folder.h"

#include <nlohmann/json.hpp>
#include <string>
#include <system_error>

#include "core/base/error.h"
#include "core/data/tokenizer/pipeline/gguf_tokenizer.h"
#include "core/io/json_guard.h"
#include "core/io/message_text.h"
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

/// The tokens that end an answer, one or a list, in the first file that says so.
Ids endsIn(const fs::path& folder, std::int64_t rows) {
  for (const char* name : {"generation_config.json", "config.json"}) {
    const fs::path path = folder / name;
    if (!isThere(path)) continue;
    const json config = io::parseJson(io::readTextFile(path, kMaxTokenizerBytes), path.string());
    const auto found = config.is_object() ? config.find("eos_token_id") : config.end();
    if (found == config.end() || found->is_null()) continue;
    Ids ends;
    for (const json& id : found->is_array() ? *found : json::array({*found})) {
      if (!id.is_number_integer())
        throw Error("eos_token_id is " + io::shortened(found->dump(), 60), path.string(),
                    "Expected the id of a token, or a list of them");
      // Small models of large vocabularies keep ids that they have no rows for; -1 is none.
      if (id >= 0 && id < rows) ends.push_back(id.get<std::int32_t>());
    }
    return ends;
  }
  return {};
}

}  // namespace

std::unique_ptr<PipelineTokenizer> readPipelineTokenizer(const fs::path& folder,
                                                         std::int64_t rows) {
  if (isGguf(folder)) {
    const io::GgufFile file = io::openGguf(folder);
    return parsePipelineTokenizer(ggufTokenizerJson(file, folder.string()), folder.string(), rows,
                                  ggufEnds(file, rows));
  }
  const Ids ends = endsIn(folder, rows);
  const fs::path whole = folder / "tokenizer.json";
  if (isThere(whole))
    return parsePipelineTokenizer(io::readTextFile(whole, kMaxTokenizerBytes), whole.string(), rows,
                                  ends);
  if (isThere(folder / "vocab.json") && isThere(folder / "merges.txt"))
    return parsePipelineTokenizer(gpt2Json(folder).dump(), folder.string(), rows, ends);
  throw Error("there is no tokenizer", folder.string(),
              "Copy the model's tokenizer.json there, or its vocab.json and merges.txt");
}

}  // namespace tfm::data
