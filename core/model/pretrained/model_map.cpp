// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/pretrained/model_map.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/io/fields.h"
#include "core/io/json_guard.h"
#include "core/io/message_text.h"
#include "core/io/text_file.h"

namespace tfm {
namespace {

using io::ObjectReader;
using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr std::uint64_t kMaxMapBytes = 1 << 26;
constexpr std::int64_t kMaxParts = 1024;
constexpr std::int64_t kMaxRows = 10'000'000;

std::vector<std::string_view> partsOf(std::string_view name) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0;;) {
    const std::size_t dot = name.find('.', at);
    parts.push_back(name.substr(at, dot - at));
    if (dot == name.npos) return parts;
    at = dot + 1;
  }
}

/// What the stars of a pattern stand for in a name; nullopt if it does not fit.
std::optional<std::vector<std::string_view>> fit(std::string_view pattern, std::string_view name) {
  const auto wanted = partsOf(pattern), given = partsOf(name);
  if (wanted.size() != given.size()) return std::nullopt;
  std::vector<std::string_view> stars;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i] == "*")
      stars.push_back(given[i]);
    else if (wanted[i] != given[i])
      return std::nullopt;
  }
  return stars;
}

/// A row of the table.
struct Source {
  std::string pattern;
  std::string tensor;  ///< empty: zeros
  bool transposed = false;
  double times = 1.0;
  std::int64_t part = 0, parts = 1, blocks = 1;
  std::int64_t first_row = 0, of_rows = 0;
};

Source sourceFrom(const std::string& pattern, const nlohmann::json& json,
                  const std::string& where) {
  Source source{.pattern = pattern, .tensor = {}};
  if (json.is_null()) return source;
  if (json.is_string()) {
    source.tensor = json.get<std::string>();
  } else {
    ObjectReader reader(json, where);
    source.tensor = reader.get<std::string>("tensor", "");
    const std::vector<io::Field> fields{
        {"transposed", "Stored (in, out)", io::SwitchSlot{&source.transposed}},
        {"times", "Factor of all numbers", io::RealSlot{&source.times, -1e30, 1e30}},
        {"part", "Which of equal parts of its rows, from 0",
         io::IntegerSlot{&source.part, 0, kMaxParts}},
        {"parts", "How many", io::IntegerSlot{&source.parts, 1, kMaxParts}},
        {"blocks", "Blocks of rows that are parted each by itself",
         io::IntegerSlot{&source.blocks, 1, 65'536}},
        {"first_row", "The row of the tensor that is our first",
         io::IntegerSlot{&source.first_row, 0, kMaxRows}},
        {"of_rows", "Rows of the tensor, 0: those that are used",
         io::IntegerSlot{&source.of_rows, 0, kMaxRows}}};
    reader.readFields(fields);
    io::checkFields(fields, where);
    reader.refuseUnknown();
    if (source.part >= source.parts)
      reader.throwInvalid("part", "less than parts, " + std::to_string(source.parts));
    if (source.blocks > 1 && source.parts == 1)
      reader.throwInvalid("blocks", "1 unless parts is above 1");
    if (source.first_row > 0 && source.of_rows == 0)
      reader.throwInvalid("first_row", "0 unless of_rows is given");
  }
  if (source.tensor.empty())
    throw Error("there is no tensor for " + io::inQuotes(pattern), where,
                "Expected the name of a tensor, null, or an object with \"tensor\"");
  return source;
}

/// The tensor of a row for a parameter whose name has these stars.
ForeignTensor tensorOf(const Source& source, std::span<const std::string_view> stars,
                       const ParameterInfo& p) {
  ForeignTensor tensor;
  if (source.tensor.empty()) return tensor;
  std::size_t star = 0;
  for (const std::string_view part : partsOf(source.tensor)) {
    const bool taken = part == "*" && star < stars.size();
    tensor.name += (tensor.name.empty() ? "" : ".") + std::string(taken ? stars[star++] : part);
  }
  tensor.shape = sizes(p.shape);
  const std::int64_t rows = tensor.shape.front(), block = rows / source.blocks;
  if (rows % source.blocks != 0)
    throw Error("the rows of " + io::inQuotes(p.name) + " are not " +
                    std::to_string(source.blocks) + " equal blocks",
                "map, " + source.pattern,
                "Allowed: blocks that divide its " + std::to_string(rows) + " rows");
  tensor.shape.front() *= source.parts;
  if (source.parts > 1) {
    tensor.first = source.part * block;
    if (source.blocks > 1) {
      tensor.block = block;
      tensor.every = source.parts * block;
    }
  }
  if (source.of_rows > 0) {
    if (source.parts > 1 || source.first_row + rows > source.of_rows)
      throw Error(
          "the rows of " + io::inQuotes(p.name) + " are not in the tensor",
          "map, " + source.pattern,
          "Allowed: parts or of_rows, and first_row up to of_rows less " + std::to_string(rows));
    tensor.first = source.first_row;
    tensor.shape.front() = source.of_rows;
  }
  tensor.transposed = source.transposed && tensor.shape.size() == 2;
  if (tensor.transposed) std::swap(tensor.shape.front(), tensor.shape.back());
  tensor.factor = source.times;
  return tensor;
}

/// A vector may be stored as a single row.
void allowRow(const io::StoredTensors& tensors, ForeignTensor& tensor) {
  if (tensor.shape.size() != 1) return;
  const auto found = tensors.find(tensor.name);
  const std::vector<std::int64_t> row{1, tensor.shape.front()};
  if (found != tensors.end() && found->second.shape == row) tensor.shape = row;
}

ForeignTensor tensorFor(const std::vector<Source>& table, const ForeignModel& model,
                        const ParameterInfo& p) {
  ForeignTensor tensor{.name = p.name, .shape = sizes(p.shape)};
  for (const Source& source : table)
    if (const auto stars = fit(source.pattern, p.name)) {
      tensor = tensorOf(source, *stars, p);
      break;
    }
  allowRow(model.tensors, tensor);
  return tensor;
}

/// Ids as words; what is none is the last one. For texts that name tokens where nobody has said how
/// texts become tokens.
std::string idTokenizer(std::int64_t tokens) {
  Json vocabulary;
  for (std::int64_t i = 0; i < tokens; ++i) vocabulary[std::to_string(i)] = i;
  return Json{{"pre_tokenizer", {{"type", "WhitespaceSplit"}}},
              {"decoder", {{"type", "WordPiece"}, {"prefix", "##"}, {"cleanup", false}}},
              {"model",
               {{"type", "WordPiece"},
                {"unk_token", std::to_string(tokens - 1)},
                {"continuing_subword_prefix", "##"},
                {"max_input_chars_per_word", 100},
                {"vocab", std::move(vocabulary)}}}}
      .dump();
}

std::string tokenizerFrom(ObjectReader& reader, const fs::path& folder, const ModelConfig& config) {
  const nlohmann::json* given = reader.child("tokenizer");
  if (given == nullptr)
    return idTokenizer(config.hasDecoder() ? config.target_vocabulary : config.source_vocabulary);
  if (!given->is_string()) return given->dump();
  const fs::path name = given->get<std::string>();
  if (name.filename() != name)
    reader.throwInvalid("tokenizer", "the name of a file beside the map, or a tokenizer.json");
  return io::readTextFile(folder / name, kMaxMapBytes);
}

}  // namespace

ModelMap readModelMap(const fs::path& path) {
  return parseModelMap(io::readTextFile(path, kMaxMapBytes), path.string(), path.parent_path());
}

ModelMap parseModelMap(std::string_view text, const std::string& where, const fs::path& folder) {
  // Rows count in the order in which they stand there.
  const nlohmann::json object = io::parseJson(text, where);
  const Json ordered = Json::parse(text);
  ObjectReader reader(object, where);
  const nlohmann::json* model = reader.child("model");
  if (model == nullptr)
    throw Error("'model' is missing", where,
                "Expected the config of the model as documents have it: info --json shows one");
  ModelMap map{.config = modelConfigFromJson(model->dump(), where + ", model")};
  std::vector<Source> table;
  if (const nlohmann::json* tensors = reader.child("tensors")) {
    if (!tensors->is_object()) reader.throwInvalid("tensors", "an object of names");
    for (const auto& [pattern, source] : ordered["tensors"].items())
      table.push_back(sourceFrom(pattern, nlohmann::json(source), where + ", " + pattern));
  }
  std::vector<std::string> ignored;
  if (const nlohmann::json* ends = reader.child("ignored")) {
    if (!ends->is_array()) reader.throwInvalid("ignored", "a list of ends of names");
    for (const nlohmann::json& end : *ends) {
      if (!end.is_string()) reader.throwInvalid("ignored", "a list of ends of names");
      ignored.push_back(end.get<std::string>());
    }
  }
  map.tokenizer = tokenizerFrom(reader, folder, map.config);
  nlohmann::json tokens = nlohmann::json::object();
  for (const char* role : {"start", "pad", "ends", "mask"})
    if (const nlohmann::json* given = reader.child(role)) tokens[role] = *given;
  map.tokens = tokens.dump();
  reader.refuseUnknown();
  map.family.type = "map";
  map.family.words = "model that the map describes";
  map.family.ignored = std::move(ignored);
  map.family.tensor = [table = std::move(table)](const ForeignModel& model,
                                                 const ParameterInfo& p) {
    return tensorFor(table, model, p);
  };
  return map;
}

}  // namespace tfm
