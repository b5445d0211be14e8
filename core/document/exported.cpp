// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/document/exported.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "core/backend/about.h"
#include "core/base/error.h"
#include "core/data/framing.h"
#include "core/data/tokenizer/pipeline/gguf_tokenizer.h"
#include "core/data/tokenizer/tokenizer_file.h"
#include "core/document/fingerprint.h"
#include "core/document/history.h"
#include "core/io/atomic_file.h"
#include "core/train/fit_task.h"

namespace tfm::train {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr int kIndent = 2;

/// What others must know about a few tokens; -1: there is none.
struct Roles : data::GgufRoles {
  std::int32_t start = -1;  ///< begins the answer of a decoder with an encoder
  std::int32_t mask = -1;
};

Roles rolesOf(const data::TextCodec& codec, const ModelConfig& config, data::Framing framing) {
  const data::Vocabulary& vocabulary = data::inputVocabulary(codec, framing);
  Roles roles;
  roles.pad = vocabulary.pad();
  for (std::int32_t id = 0; id < vocabulary.size(); ++id)
    if (codec.hides(id)) roles.mask = id;
  if (!config.hasDecoder()) return roles;
  for (const std::int32_t id : codec.ends())
    if (id >= 0) roles.ends.push_back(id);
  if (roles.ends.empty() && roles.pad >= 0) roles.ends = {roles.pad};
  if (config.hasEncoder()) roles.start = data::outputVocabulary(codec, framing).start();
  return roles;
}

Json idOrNull(std::int32_t id) { return id < 0 ? Json(nullptr) : Json(id); }

/// A number, a list, or null.
Json idsOf(const data::Ids& ids) {
  if (ids.empty()) return nullptr;
  return ids.size() == 1 ? Json(ids.front()) : Json(ids);
}

/// The fields about tokens, which the library would otherwise fill in with numbers of its own.
Json tokenFields(const Roles& roles, const ModelConfig& config) {
  Json fields{{"bos_token_id", idOrNull(roles.first)},
              {"eos_token_id", idsOf(roles.ends)},
              {"pad_token_id", idOrNull(roles.pad)}};
  if (roles.start >= 0) fields["decoder_start_token_id"] = roles.start;
  if (config.hasDecoder()) fields["use_cache"] = true;
  return fields;
}

/// The token that a tokenizer.json puts before each text, or -1.
std::int32_t firstIn(const Json& file) {
  const auto processor = file.find("post_processor");
  if (processor == file.end() || !processor->is_object() || !processor->contains("single"))
    return -1;
  const Json& first = (*processor)["single"].front();
  if (!first.contains("SpecialToken")) return -1;
  const std::string name = first["SpecialToken"]["id"];
  return (*processor)["special_tokens"][name]["ids"].front();
}

/// tokenizer_config.json: which of the added tokens do what.
std::string tokenizerConfig(const Json& file, const Roles& roles, std::int64_t longest) {
  Json config{{"tokenizer_class", "PreTrainedTokenizerFast"},
              {"model_max_length", longest},
              {"clean_up_tokenization_spaces", false}};
  const auto add = [&](const char* role, std::int32_t id) {
    for (const Json& token : file["added_tokens"])
      if (token["id"] == id) config[role] = token["content"];
  };
  add("bos_token", roles.first);
  if (!roles.ends.empty()) add("eos_token", roles.ends.front());
  add("pad_token", roles.pad);
  add("mask_token", roles.mask);
  return config.dump(kIndent) + '\n';
}

// --- The model card -----------------------------------------------------------------------------

std::string listed(const std::string& text) { return "- " + text + '\n'; }

/// "Trained for 600 steps of 50 examples with adam, learning rate 0.001, seed 7."
std::string trainingText(const Document& document) {
  const ModelState& state = document.state;
  if (state.step == 0) return "It was not trained by Transformarium.";
  const Json train = Json::parse(toJson(document.train));
  return "It was trained for " + std::to_string(state.step) + " steps of " +
         train["batch_size"].dump() + " examples with " + train["optimizer"].get<std::string>() +
         ", learning rate " + train["learning_rate"].dump() + ", seed " +
         std::to_string(state.seed) + ".";
}

std::string cardText(const Document& document, const ForeignFiles& model, const std::string& name,
                     const std::vector<std::string>& left_out) {
  const Family& family = *model.family;
  const bool bare = document.state.config.output == OutputKind::None;
  const std::string loads(bare ? family.bare_class : family.class_name);
  std::string card = "---\nlibrary_name: transformers\n---\n\n# " + name + "\n\nA " +
                     std::string(family.words) + " with " +
                     std::to_string(document.state.layout.total) +
                     " parameters, written by Transformarium " + programVersion() + ".\n\n";
  card += "```python\nfrom transformers import " + loads + "\nmodel = " + loads +
          ".from_pretrained(\".\")\n```\n\n## How it came about\n\n" + trainingText(document) +
          '\n';
  if (document.task) card += "Its task is `" + document.task->kind + "`.\n";
  const Fingerprint print = fingerprintOf(document);
  card += "\nChecksums as words: weights `" + print.weights + "`, data `" + print.data + "`.\n";
  if (!document.history.events.empty()) card += "\nChanges of the model, by step:\n\n";
  for (const HistoryEvent& event : document.history.events)
    card += listed(std::to_string(event.step) + ": " + event.text);
  if (!left_out.empty()) card += "\n## Not in this folder\n\n";
  for (const std::string& sentence : left_out) card += listed(sentence);
  return card;
}

/// Its tokenizer.json, or empty.
std::string tokenizerOf(const data::TextCodec& codec, data::Framing framing) {
  if (codec.clean()) return {};
  const data::Vocabulary& vocabulary = data::inputVocabulary(codec, framing);
  data::Ids last;
  if (codec.tokenizerName().empty()) {
    if (framing == data::Framing::Seq2Seq &&
        !(codec.sourceVocabulary() == codec.targetVocabulary()))
      return {};
    // What a decoder reads after a question, before it answers.
    if (framing == data::Framing::NextToken) last = data::decoderPrompt(codec, framing, {});
  }
  return data::tokenizerFile(codec.tokenizerName(), codec.tokenizerRules(), vocabulary, last);
}

std::vector<std::string> leftOut(const Document& document, bool tokenizer,
                                 const std::string& tokenizer_name) {
  std::vector<std::string> sentences;
  if (!tokenizer)
    sentences.push_back("The tokenizer: the library has none that reads texts by " +
                        (tokenizer_name.empty() ? "single characters" : tokenizer_name) +
                        " as this model does. vocabulary.json has the id of each token.");
  if (document.task)
    sentences.emplace_back("The task, its texts and the measurements, which the document keeps.");
  if (document.state.optimizer_step > 0)
    sentences.emplace_back("The moments of the optimizer, with which training would go on.");
  if (!document.interventions.empty())
    sentences.emplace_back("The changes of \"What if?\": the model is written without them.");
  const ModelConfig& c = document.state.config;
  if (c.attention_dropout > 0.0 || c.residual_dropout > 0.0 || c.feed_forward_dropout > 0.0)
    sentences.emplace_back("Its dropout: for training, the library has rates of its own.");
  return sentences;
}

}  // namespace

namespace {

/// A model of texts, and how it reads them.
struct Exporting {
  std::shared_ptr<const data::TextCodec> codec;
  data::Framing framing;
  Roles roles;
  std::string tokenizer;  ///< a tokenizer.json, or empty
};

Exporting exportingOf(const Document& document) {
  const ModelConfig& config = document.state.config;
  const std::shared_ptr<const data::TextCodec> codec = makeCodec(document);
  if (!config.readsTokens())
    throw Error("the model reads rows of numbers", "config",
                "Other programs have families of models of texts only");
  if (codec->features() != nullptr)
    throw Error("the model reads the features of a frozen encoder", "config",
                "Export the encoder's own files, and this model as npz");
  const data::Framing framing = framingFor(config, *codec);
  Exporting exporting{codec, framing, rolesOf(*codec, config, framing),
                      tokenizerOf(*codec, framing)};
  if (!exporting.tokenizer.empty())
    exporting.roles.first = firstIn(Json::parse(exporting.tokenizer));
  return exporting;
}

ForeignFiles filesOf(const Document& document, const Exporting& exporting, std::string_view as) {
  return foreignFiles(document.state.config, document.state.parameters,
                      std::max(0, exporting.roles.pad), as, document.family);
}

}  // namespace

ExportedModel exportedModel(const Document& document, std::string_view as) {
  const Exporting exporting = exportingOf(document);
  const ModelConfig& config = document.state.config;
  ExportedModel exported;
  exported.model = filesOf(document, exporting, as);
  if (exporting.tokenizer.empty()) {
    const data::Vocabulary& vocabulary = data::inputVocabulary(*exporting.codec, exporting.framing);
    Json ids = Json::object();
    for (std::int32_t id = 0; id < vocabulary.size(); ++id) ids[vocabulary.token(id)] = id;
    exported.texts["vocabulary.json"] = ids.dump(kIndent) + '\n';
  } else {
    exported.texts["tokenizer.json"] = exporting.tokenizer;
    exported.texts["tokenizer_config.json"] = tokenizerConfig(
        Json::parse(exporting.tokenizer), exporting.roles, exporting.codec->longestInput());
  }
  const Json tokens = tokenFields(exporting.roles, config);
  Json fields = Json::parse(exported.model.config);
  fields.update(tokens);
  exported.texts["config.json"] = fields.dump(kIndent) + '\n';
  if (config.hasDecoder()) exported.texts["generation_config.json"] = tokens.dump(kIndent) + '\n';
  exported.left_out = leftOut(document, !exporting.tokenizer.empty(),
                              std::string(exporting.codec->tokenizerName()));
  exported.texts["README.md"] =
      cardText(document, exported.model, exporting.codec->name(), exported.left_out);
  return exported;
}

ExportedGguf exportedGguf(const Document& document, std::string_view as) {
  const Exporting exporting = exportingOf(document);
  if (exporting.tokenizer.empty())
    throw Error("the tokenizer has no form that GGUF files have", "tokenizer",
                "Export the model in another format");
  const ModelConfig& config = document.state.config;
  ExportedGguf exported{.files = ggufFiles(filesOf(document, exporting, as), config),
                        .left_out = {}};
  io::GgufFile& file = exported.files.file;
  file.values.merge(
      data::ggufTokenizerValues(exporting.tokenizer, config.target_vocabulary, exporting.roles));
  file.values["general.name"] = exporting.codec->name();
  exported.left_out = leftOut(document, true, {});
  return exported;
}

std::vector<std::string> writeExported(const ExportedModel& model, const fs::path& folder,
                                       std::uint64_t most) {
  std::error_code problem;
  const bool there = fs::exists(folder, problem);
  if (there && (!fs::is_directory(folder, problem) || !fs::is_empty(folder, problem)))
    throw Error("this is not an empty folder", folder.string(),
                "Name a folder that is not there yet: nothing in it is replaced");
  fs::create_directories(folder, problem);
  if (problem)
    throw Error("the folder cannot be made: " + problem.message(), folder.string(),
                "Name one in a folder that you may write to");
  std::vector<std::string> names = writeWeights(folder, model.model.weights, most);
  for (const auto& [name, text] : model.texts) {
    io::writeFile(folder / name, text);
    names.push_back(name);
  }
  return names;
}

}  // namespace tfm::train
