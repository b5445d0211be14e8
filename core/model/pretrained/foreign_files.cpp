// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/pretrained/foreign_files.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>

#include "core/base/error.h"
#include "core/io/atomic_file.h"
#include "core/io/message_text.h"
#include "core/model/build_program.h"
#include "core/model/pretrained/foreign_config.h"

namespace tfm {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

const std::string kConfig = "config.json";

// --- Which family -------------------------------------------------------------------------------

/// The config with the usual values of all that changes nothing of what the model computes once it
/// is trained, so that equal models have equal configs.
ModelConfig essence(ModelConfig c) {
  const ModelConfig usual;
  c.attention_dropout = c.residual_dropout = c.feed_forward_dropout = 0.0;
  c.initializer = usual.initializer;
  c.initial_deviation = usual.initial_deviation;
  c.embedding_deviation = usual.embedding_deviation;
  c.position_deviation = usual.position_deviation;
  c.embedding_base = 0;
  if (c.mask_size == 0) std::tie(c.mask_begin, c.mask_steps) = std::pair(0, 1);
  if (c.positions != Positions::Sinusoidal) {
    c.sinusoid_size = 0;
    c.sinusoid_repeats = c.sinusoid_halves = false;
  }
  if (c.positions != Positions::Rotary) {
    c.rotary_base = usual.rotary_base;
    c.rotary_size = 0;
    c.rotary_frequencies.clear();
    c.rotary_magnitude = 1.0;
  } else if (c.rotary_size == sizesOfFirst(c, Stack::Decoder).key_size) {
    c.rotary_size = 0;
  }
  if (c.positions != Positions::Buckets)
    std::tie(c.distance_buckets, c.distance_furthest) =
        std::pair(usual.distance_buckets, usual.distance_furthest);
  if (!c.query_key_norm) c.query_key_norm_eps = usual.query_key_norm_eps;
  if (!c.embedding_norm) c.embedding_norm_eps = usual.embedding_norm_eps;
  if (!c.final_norm || !c.hasEncoder()) c.encoder_final_norm_eps = usual.encoder_final_norm_eps;
  if (!c.final_norm || !c.hasDecoder()) c.decoder_final_norm_eps = usual.decoder_final_norm_eps;
  if (!c.hasEncoder()) std::tie(c.source_vocabulary, c.source_length) = std::pair(0, 0);
  if (!c.hasDecoder()) std::tie(c.target_vocabulary, c.target_length) = std::pair(0, 0);
  if (c.output == OutputKind::None) {
    c.output_size = 0;
    c.output_bias = true;
  }
  if (c.output == OutputKind::Vocabulary) c.output_size = 0;
  if (!c.changesLength()) c.pooling = usual.pooling;
  return c;
}

/// What two values of a config have in the same place, as words: "norm is rms_norm, not
/// layer_norm".
void addDifferences(const std::string& name, const nlohmann::json& is,
                    const nlohmann::json& expected, std::vector<std::string>& differences) {
  if (is == expected) return;
  if (is.is_number() && expected.is_number() && is.get<float>() == expected.get<float>()) return;
  if (is.is_array() && expected.is_array() && is.size() == expected.size()) {
    std::vector<std::string> within;
    for (std::size_t i = 0; i < is.size(); ++i) addDifferences("", is[i], expected[i], within);
    if (within.empty()) return;
  }
  if (is.is_object() && expected.is_object()) {
    std::set<std::string> keys;
    for (const nlohmann::json* object : {&is, &expected})
      for (const auto& [key, value] : object->items()) keys.insert(key);
    for (const std::string& key : keys)
      addDifferences(name.empty() ? key : name + "." + key, is.value(key, nlohmann::json()),
                     expected.value(key, nlohmann::json()), differences);
    return;
  }
  differences.push_back(name + " is " + io::shortened(is.dump(), 40) + ", not " +
                        io::shortened(expected.dump(), 40));
}

/// What a family's config.json cannot say of a model: nothing if it is of this family.
struct Fit {
  const Family* family = nullptr;
  std::string fields;
  std::vector<std::string> differences = {};
  bool refused = false;  ///< no file of the family could say this

  /// Families that could say it are nearer than others.
  std::pair<bool, std::size_t> distance() const { return {refused, differences.size()}; }
};

/// The tensors of which foreignConfig() asks whether they are there.
io::StoredTensors headOf(const Family& family, const ModelConfig& config) {
  io::StoredTensors tensors;
  if (config.output_transform && !family.masked_head.empty())
    tensors[std::string(family.masked_head)] = {};
  return tensors;
}

Fit fitTo(const Family& family, const ModelConfig& config, std::int64_t pad) {
  Fit fit{&family, ""};
  Json fields{{"model_type", family.type}};
  fields.update(Json::parse(family.fields(config, pad)));
  fit.fields = fields.dump();
  try {
    fit.differences =
        differencesOf(config, foreignConfig(family, fit.fields, kConfig, headOf(family, config)));
  } catch (const Error& problem) {
    fit.differences = {"its config.json would be refused: " + problem.problem()};
    fit.refused = true;
  }
  return fit;
}

[[noreturn]] void throwUnfit(const Fit& fit, bool asked) {
  const std::string text = joined(fit.differences);
  const std::string family(fit.family->words);
  throw Error(asked ? "the model cannot be written as a " + family
                    : "no family of pretrained models has this model",
              "config",
              (asked ? "" : "The nearest is a " + family + ", but ") + text +
                  ". Written are models of " + writtenFamilies());
}

// --- Its tensors --------------------------------------------------------------------------------

/// Our parameters that are in one tensor.
struct Tensor {
  std::vector<std::int64_t> shape;
  std::vector<std::pair<const ParameterInfo*, ForeignTensor>> parts = {};
};

/// Whether the tensor has the numbers of the parameter, in their order.
bool isAsOurs(const Tensor& tensor) {
  const auto& [p, how] = tensor.parts.front();
  return tensor.parts.size() == 1 && !how.transposed && how.block == 0 && how.first == 0 &&
         how.factor == 1.0 && how.plus == 0.0 && sizes(p->shape) == tensor.shape;
}

std::vector<float> numbersOf(const Tensor& tensor, std::span<const float> parameters) {
  std::int64_t count = 1;
  for (const std::int64_t size : tensor.shape) count *= size;
  std::vector<float> numbers(static_cast<std::size_t>(count));
  std::vector<bool> written(tensor.parts.size() > 1 ? numbers.size() : 0);
  for (const auto& [p, how] : tensor.parts) {
    const std::int64_t rows = rowsOf(*p), cols = colsOf(*p), all = count / cols;
    const float* from = parameters.data() + p->offset;
    for (std::int64_t r = 0; r < rows; ++r)
      for (std::int64_t c = 0; c < cols; ++c) {
        const std::int64_t row = how.rowOf(r);
        const auto at = std::size_t(how.transposed ? c * all + row : row * cols + c);
        const auto number = float((double(from[r * cols + c]) - how.plus) / how.factor);
        if (!written.empty() && written[at] && numbers[at] != number)
          throw Error("the parameter " + io::inQuotes(p->name) + " differs from " +
                          io::inQuotes(tensor.parts.front().first->name),
                      "config",
                      "In files of this family they are one tensor, " + io::inQuotes(how.name));
        if (!written.empty()) written[at] = true;
        numbers[at] = number;
      }
  }
  return numbers;
}

/// How a parameter becomes the tensor, the other way round than MappedTensor has it elsewhere.
std::string doneText(const ForeignTensor& how) {
  std::string text;
  const auto add = [&](const std::string& words) { text += (text.empty() ? "" : ", ") + words; };
  if (how.transposed) add("transposed");
  if (how.block > 0)
    add("blocks of " + std::to_string(how.block) + " rows of every " + std::to_string(how.every));
  else if (how.first > 0)
    add("from row " + std::to_string(how.first + 1) + " on");
  char number[32];
  std::snprintf(number, sizeof number, "%.6g", how.factor);
  if (how.factor != 1.0) add(std::string("divided by ") + number);
  std::snprintf(number, sizeof number, "%.6g", how.plus);
  if (how.plus != 0.0) add(std::string("less ") + number);
  if (!how.added.empty()) add(how.added + " is zeros");
  return text;
}

void addTensors(const ModelConfig& config, std::span<const float> parameters, ForeignFiles& files) {
  const Family& family = *files.family;
  const io::StoredTensors none;
  ForeignModel model{config, none};
  if (family.factors != nullptr) model.factors = family.factors(files.config, kConfig);
  const ParameterLayout layout = parameterLayout(config);
  std::map<std::string, Tensor> tensors;
  for (const ParameterInfo& p : layout.parameters) {
    const ForeignTensor how = family.tensor(model, p);
    MappedTensor row{.name = "", .type = "F32", .shape = {}, .done = "", .ours = p.name};
    row.our_shape = sizes(p.shape);
    if (how.name.empty()) {
      const auto ours = parameters.subspan(static_cast<std::size_t>(p.offset),
                                           static_cast<std::size_t>(p.size()));
      if (std::ranges::any_of(ours, [](float number) { return number != 0.0f; }))
        throw Error("files of a " + std::string(family.words) + " have no place for " +
                        io::inQuotes(p.name),
                    "config", "Its numbers are not zero: export it as a model of another family");
      row.done = "zeros, left out";
      files.map.push_back(std::move(row));
      continue;
    }
    row.name = (isOfHead(p) ? "" : std::string(family.prefix)) + how.name;
    Tensor& tensor = tensors[row.name];
    tensor.shape = how.shape;
    if (tensor.shape.front() == 0) tensor.shape.front() = how.rowOf(rowsOf(p) - 1) + 1;
    row.shape = tensor.shape;
    row.done = doneText(how);
    if (!how.added.empty()) {
      const std::vector<float> zeros(static_cast<std::size_t>(kWrittenTypes * p.cols()));
      files.weights.tensors[std::string(family.prefix) + how.added] =
          io::makeTensor({kWrittenTypes, p.cols()}, std::span<const float>(zeros));
    }
    tensor.parts.emplace_back(&p, how);
    files.map.push_back(std::move(row));
  }
  for (const auto& [name, tensor] : tensors) {
    const ParameterInfo& p = *tensor.parts.front().first;
    if (isAsOurs(tensor))
      files.weights.stored[name] =
          io::storedFloats(tensor.shape, parameters.subspan(static_cast<std::size_t>(p.offset),
                                                            static_cast<std::size_t>(p.size())));
    else
      files.weights.tensors[name] =
          io::makeTensor(tensor.shape, std::span<const float>(numbersOf(tensor, parameters)));
  }
  files.weights.metadata["format"] = "pt";  // without which the library refuses it
}

ForeignFiles filesOf(const Fit& fit, const ModelConfig& config, std::span<const float> parameters) {
  ForeignFiles files{.family = fit.family, .config = {}, .weights = {}, .map = {}};
  Json fields = Json::parse(fit.fields);
  const bool bare = config.output == OutputKind::None;
  fields["architectures"] = {bare ? fit.family->bare_class : fit.family->class_name};
  fields["dtype"] = fields["torch_dtype"] = "float32";
  constexpr int kIndent = 2;
  files.config = fields.dump(kIndent) + '\n';
  addTensors(config, parameters, files);
  return files;
}

std::uint64_t bytesOf(const std::vector<std::int64_t>& shape) {
  std::uint64_t bytes = sizeof(float);
  for (const std::int64_t size : shape) bytes *= std::uint64_t(size);
  return bytes;
}

}  // namespace

std::string joined(const std::vector<std::string>& differences) {
  constexpr std::size_t kMost = 4;
  std::string text;
  for (std::size_t i = 0; i < std::min(kMost, differences.size()); ++i)
    text += (text.empty() ? "" : "; ") + differences[i];
  if (differences.size() > kMost)
    text += " and " + std::to_string(differences.size() - kMost) + " more";
  return text;
}

std::vector<std::string> differencesOf(const ModelConfig& is, const ModelConfig& expected) {
  std::vector<std::string> differences;
  addDifferences("", nlohmann::json::parse(toJson(essence(is))),
                 nlohmann::json::parse(toJson(essence(expected))), differences);
  return differences;
}

std::string writtenFamilies() {
  std::string names;
  for (const Family& family : families())
    if (family.fields != nullptr) names += (names.empty() ? "" : ", ") + std::string(family.type);
  return names;
}

ForeignFiles foreignFiles(const ModelConfig& config, std::span<const float> parameters,
                          std::int64_t pad, std::string_view as, std::string_view preferred) {
  std::vector<Fit> fits;
  for (const Family& family : families())
    if (family.fields != nullptr && (as.empty() || as == family.type))
      fits.push_back(fitTo(family, config, pad));
  std::ranges::stable_partition(fits,
                                [&](const Fit& fit) { return fit.family->type == preferred; });
  if (fits.empty())
    throw Error("there is no family " + io::inQuotes(std::string(as)), "family",
                "Choose one of " + writtenFamilies());
  const auto nearest = std::ranges::min_element(fits, {}, &Fit::distance);
  if (!nearest->differences.empty()) throwUnfit(*nearest, !as.empty());
  std::optional<Error> problem;
  std::optional<ForeignFiles> written;
  std::vector<std::string> others;
  for (const Fit& fit : fits) {
    if (!fit.differences.empty()) continue;
    try {
      ForeignFiles files = filesOf(fit, config, parameters);
      if (!written)
        written = std::move(files);
      else
        others.emplace_back(fit.family->type);
    } catch (const Error& error) {
      if (!problem) problem = error;
    }
  }
  if (!written) throw *problem;
  written->other_families = std::move(others);
  return std::move(*written);
}

std::vector<std::string> writeWeights(const fs::path& folder, const io::TensorFile& weights,
                                      std::uint64_t most) {
  // In the order of the names, as many as a file may hold.
  std::map<std::string, std::uint64_t> sizes;
  for (const auto& [name, tensor] : weights.tensors) sizes[name] = bytesOf(tensor.shape);
  for (const auto& [name, tensor] : weights.stored) sizes[name] = bytesOf(tensor.shape);
  std::vector<io::TensorFile> parts(1);
  std::vector<std::vector<std::string>> names(1);
  std::uint64_t total = 0, here = 0;
  for (const auto& [name, bytes] : sizes) {
    if (here > 0 && here + bytes > most) {
      parts.emplace_back();
      names.emplace_back();
      here = 0;
    }
    here += bytes;
    total += bytes;
    names.back().push_back(name);
    if (const auto stored = weights.stored.find(name); stored != weights.stored.end())
      parts.back().stored[name] = stored->second;
    else
      parts.back().tensors[name] = weights.tensors.at(name);
  }
  std::vector<std::string> written;
  Json map;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    parts[i].metadata = weights.metadata;
    char file[64];
    std::snprintf(file, sizeof file, "model-%05zu-of-%05zu.safetensors", i + 1, parts.size());
    written.emplace_back(parts.size() == 1 ? "model.safetensors" : file);
    for (const std::string& name : names[i]) map[name] = written.back();
    io::writeSafetensors(folder / written.back(), parts[i]);
  }
  if (parts.size() == 1) return written;
  written.emplace_back("model.safetensors.index.json");
  constexpr int kIndent = 2;
  const Json index{{"metadata", {{"total_size", total}}}, {"weight_map", std::move(map)}};
  io::writeFile(folder / written.back(), index.dump(kIndent) + '\n');
  return written;
}

}  // namespace tfm
