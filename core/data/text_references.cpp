// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/text_references.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>
#include <vector>

#include "core/base/content_hash.h"
#include "core/data/document_paths.h"
#include "core/data/labelled_task.h"
#include "core/data/self_contained.h"
#include "core/io/fields.h"
#include "core/io/json_guard.h"
#include "core/io/utf8.h"

namespace tfm::data {
namespace {

namespace fs = std::filesystem;

fs::path absolutePath(const fs::path& path) {
  std::error_code unknown;
  return path.empty() ? path : fs::absolute(path, unknown).lexically_normal();
}

std::string hashOf(const std::string& text) {
  ContentHash hash;
  hash.add(text);
  return hash.text();
}

TextReference referenceTo(const std::string& path, const std::string& text) {
  TextReference reference{{}, std::int64_t(text.size()), hashOf(text)};
  if (path.empty()) return reference;
  reference.places.push_back(absolutePath(path));
  rememberPlace(reference.hash, path);
  return reference;
}

bool isText(const std::string& text, const TextReference& reference) {
  return std::int64_t(text.size()) == reference.bytes && hashOf(text) == reference.hash;
}

/// A document may name anything; only files and folders are read.
bool isThere(const fs::path& path) {
  std::error_code unknown;
  return fs::is_regular_file(path, unknown) || fs::is_directory(path, unknown);
}

bool isAnywhere(const TextReference& reference) {
  return reference.places.empty() || std::ranges::any_of(reference.places, isThere);
}

std::string bytesText(std::int64_t bytes) { return std::to_string(bytes) + " bytes"; }

constexpr const char* kGiveAgain =
    ", or give the text again: train --resume with --data, or New Run in the window. Without it, "
    "the model can be used, grown and exported, but not trained";

Error moved(const TextReference& reference) {
  std::string hint = "Put back the text of " + bytesText(reference.bytes);
  if (reference.places.size() > 1) hint += " there or as " + reference.places.back().string();
  return {"the text that the model learns from is no longer there",
          reference.places.front().string(), hint + kGiveAgain};
}

Error changed(const fs::path& place, const TextReference& reference, const std::string& problem) {
  return {"the text that the model learns from has changed: " + problem, place.string(),
          "Put back the text of " + bytesText(reference.bytes) + kGiveAgain};
}

/// The config with the texts as the first version read them; without texts if it could not.
TaskConfig formerTexts(const TaskConfig& files) {
  try {
    return withTexts(files, ReadingRules::Kept);
  } catch (const Error&) {
    return files;
  }
}

/// Reads the texts at one choice of places. Throws Error if they are others.
TaskConfig readAt(const TaskConfig& config, const TextReferences& references, const fs::path& text,
                  const fs::path& test) {
  TaskConfig files = withoutTexts(config);
  files.path = text.string();
  files.test_path = test.string();
  files.label_first = references.label_first;
  TaskConfig read;
  try {
    read = withTexts(files);
    // The files of a document of an earlier version were read by its rules.
    if (!hasTexts(read, references)) {
      TaskConfig formerly = formerTexts(files);
      if (hasTexts(formerly, references)) read = std::move(formerly);
    }
  } catch (const Error& problem) {
    TaskConfig formerly = formerTexts(files);
    if (hasTexts(formerly, references)) return formerly;
    const bool of_test = !test.empty() && problem.where().starts_with(test.string());
    throw changed(of_test ? test : text, of_test ? *references.test : references.text,
                  problem.problem());
  }
  const auto now = [](const std::string& content, const TextReference& reference) {
    const auto bytes = std::int64_t(content.size());
    return bytes == reference.bytes ? "its content differs" : "it has " + bytesText(bytes);
  };
  if (!isText(read.text, references.text))
    throw changed(text, references.text, now(read.text, references.text));
  if (references.test && !isText(read.test_text, *references.test))
    throw changed(test.empty() ? text : test, *references.test,
                  now(read.test_text, *references.test));
  return read;
}

nlohmann::ordered_json jsonOf(const TextReference& reference, const fs::path& folder) {
  const fs::path place = reference.places.empty() ? fs::path() : reference.places.front();
  return {{"relative", storedPath(place, folder)},
          {"bytes", reference.bytes},
          {"hash", reference.hash}};
}

TextReference referenceFrom(const nlohmann::json& json, const fs::path& folder,
                            const std::string& where) {
  io::ObjectReader reader(json, where);
  TextReference reference;
  const fs::path relative = reader.get<std::string>("relative", "");
  const fs::path absolute = reader.get<std::string>("path", "");  // of older documents
  reference.bytes = reader.get<std::int64_t>("bytes", -1);
  reference.hash = reader.get<std::string>("hash", "");
  if (!absolute.empty() && !absolute.is_absolute()) reader.throwInvalid("path", "an absolute path");
  if (reference.bytes < 0 || reference.hash.empty())
    throw Error("the length or the hash of the text is missing", where,
                "Expected bytes, a whole number from 0, and hash");
  reader.refuseUnknown();
  if (relative.empty() && absolute.empty()) return reference;
  for (const fs::path& place :
       {absolutePath(placeOf(relative, folder)), absolute, rememberedPlace(reference.hash)})
    if (!place.empty() && std::ranges::find(reference.places, place) == reference.places.end())
      reference.places.push_back(place);
  return reference;
}

}  // namespace

TaskConfig withoutTexts(TaskConfig config) {
  config.text.clear();
  config.test_text.clear();
  return config;
}

std::optional<TextReferences> referencesFor(const TaskConfig& config) {
  if (config.path.empty() || config.text.size() + config.test_text.size() <= kMaxKeptBytes)
    return std::nullopt;
  TaskConfig files = withoutTexts(config);
  files.path = absolutePath(config.path).string();
  files.test_path = absolutePath(config.test_path).string();
  for (const std::string& path : {files.path, files.test_path})
    if (io::firstInvalidUtf8(path)) return std::nullopt;  // JSON has no such names
  // The texts of a labelled task are stored label first, whatever the files are.
  for (const auto& [label_first, rules] :
       {std::pair(false, ReadingRules::Present), std::pair(true, ReadingRules::Present),
        std::pair(false, ReadingRules::Kept), std::pair(true, ReadingRules::Kept)}) {
    if (!isLabelled(config) && label_first != config.label_first) continue;
    files.label_first = label_first;
    try {
      const TaskConfig read = withTexts(files, rules);
      if (read.text != config.text || read.test_text != config.test_text) continue;
    } catch (const Error&) {  // these are other files by now
      continue;
    }
    TextReferences references{referenceTo(files.path, config.text), {}, label_first};
    if (!config.test_text.empty()) references.test = referenceTo(files.test_path, config.test_text);
    return references;
  }
  return std::nullopt;
}

TaskConfig withReferencedTexts(const TaskConfig& config, const TextReferences& references) {
  if (!isAnywhere(references.text)) throw moved(references.text);
  if (references.test && !isAnywhere(*references.test)) throw moved(*references.test);
  const std::vector<fs::path> same_folder{fs::path()};
  const bool apart = references.test && !references.test->places.empty();
  std::optional<Error> problem;
  for (const fs::path& text : references.text.places) {
    if (!isThere(text)) continue;
    for (const fs::path& test : apart ? references.test->places : same_folder) {
      if (!test.empty() && !isThere(test)) continue;
      try {
        return readAt(config, references, text, test);
      } catch (const Error& other) {
        if (!problem) problem = other;
      }
    }
  }
  throw *problem;
}

bool hasTexts(const TaskConfig& config, const TextReferences& references) {
  const bool test =
      references.test ? isText(config.test_text, *references.test) : config.test_text.empty();
  return test && isText(config.text, references.text);
}

std::string toJson(const TextReferences& references, const fs::path& folder) {
  nlohmann::ordered_json json{{"text", jsonOf(references.text, folder)}};
  if (references.test) json["test_text"] = jsonOf(*references.test, folder);
  json["label_first"] = references.label_first;
  return json.dump();
}

TextReferences textReferencesFromJson(std::string_view text, const fs::path& folder,
                                      const std::string& where) {
  const nlohmann::json json = io::parseJson(text, where);
  io::ObjectReader reader(json, where);
  TextReferences references;
  const nlohmann::json* training = reader.child("text");
  if (training == nullptr)
    throw Error("'text' is missing", where, "Expected where the text is, its bytes and its hash");
  references.text = referenceFrom(*training, folder, where + ".text");
  if (references.text.places.empty())
    throw Error("'text.relative' is empty", where, "Expected where the text is");
  if (const nlohmann::json* test = reader.child("test_text"))
    references.test = referenceFrom(*test, folder, where + ".test_text");
  references.label_first = reader.get("label_first", false);
  reader.refuseUnknown();
  return references;
}

}  // namespace tfm::data
