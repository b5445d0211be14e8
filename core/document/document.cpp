// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/document/document.h"

#include <algorithm>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "core/ask/what_if.h"
#include "core/base/check.h"
#include "core/base/error.h"
#include "core/base/in_file.h"
#include "core/data/document_paths.h"
#include "core/data/features/text_features.h"
#include "core/data/self_contained.h"
#include "core/data/task_statistics.h"
#include "core/data/task_table.h"
#include "core/data/task_tokenizer.h"
#include "core/document/history_file.h"
#include "core/document/imported.h"
#include "core/document/state_tensors.h"
#include "core/document/tensor_reader.h"
#include "core/document/window_file.h"
#include "core/io/checksum.h"
#include "core/io/json_guard.h"
#include "core/io/message_text.h"
#include "core/io/safetensors.h"
#include "core/model/build_program.h"
#include "core/model/pretrained/pretrained_model.h"
#include "core/tensor/shape.h"
#include "core/train/fit_task.h"
#include "core/train/trainer.h"

namespace tfm::train {
namespace {

constexpr const char* kFormat = "transformarium";
constexpr std::int64_t kVersion = 1;
const std::string kInterventions = "interventions";
const std::string kFamily = "family";

const std::string& metadata(const io::TensorFile& file, const std::string& key,
                            const std::string& where) {
  const auto found = file.metadata.find(key);
  if (found == file.metadata.end())
    throw Error("the metadata has no '" + key + "'", where,
                "This is a safetensors file, but not a Transformarium document");
  return found->second;
}

/// A required member: resuming from a wrong step would be worse than not opening.
std::uint64_t count(io::ObjectReader& reader, std::string_view name, std::uint64_t most) {
  const nlohmann::json* value = reader.child(name);
  if (value == nullptr)
    throw Error("'" + std::string(name) + "' is missing", reader.where(),
                "The file is incomplete; save the document again");
  if (!value->is_number_unsigned() || value->get<std::uint64_t>() > most)
    reader.throwInvalid(name, "a whole number from 0 to " + std::to_string(most));
  return value->get<std::uint64_t>();
}

void readSteps(const std::string& json, const std::string& where, ModelState& state) {
  const nlohmann::json object = io::parseJson(json, where);
  io::ObjectReader reader(object, where);
  state.step = std::int64_t(count(reader, "step", kMaxCounted));
  state.optimizer_step = std::int64_t(count(reader, "optimizer_step", kMaxCounted));
  state.seed = count(reader, "seed", std::numeric_limits<std::uint64_t>::max());
  reader.refuseUnknown();
}

data::Vocabulary readVocabulary(const io::TensorFile& file, const std::string& key,
                                const std::string& where) {
  const std::string& json = metadata(file, key, where);
  return inFile(where + ": " + key, [&] { return data::Vocabulary::fromJson(json); });
}

/// A file's model must be one that its task can be learned with, letter by letter.
std::shared_ptr<const data::Task> checkedTask(const io::TensorFile& file, const Document& document,
                                              const std::string& where) {
  if (!data::isSelfContained(*document.task))
    throw Error("the text is empty", where + ": task.text",
                "A document holds the text that its model learns from");
  auto task = data::makeTask(*document.task);
  checkFit(document.state.config, *task);
  const auto same = [&](const std::string& key, const data::Vocabulary& vocabulary) {
    if (metadata(file, key, where) != vocabulary.toJson())
      throw Error("the metadata '" + key + "' is not the vocabulary of the task", where,
                  "Expected " + io::shortened(vocabulary.toJson(), 60));
  };
  same("source_vocabulary", task->sourceVocabulary());
  same("target_vocabulary", task->targetVocabulary());
  return task;
}

/// What a document without its task needs to read texts.
void writeCodec(const data::TextCodec& codec, const std::filesystem::path& folder,
                std::map<std::string, std::string>& metadata) {
  metadata["codec"] = codec.toJson(folder);
  metadata["source_vocabulary"] = codec.sourceVocabulary().toJson();
  if (codec.targetVocabulary().size() > 0)
    metadata["target_vocabulary"] = codec.targetVocabulary().toJson();
}

std::shared_ptr<const data::TextCodec> readCodec(const io::TensorFile& file,
                                                 const std::string& where,
                                                 const std::filesystem::path& folder) {
  const bool answers = file.metadata.contains("target_vocabulary");
  return data::TextCodec::fromJson(
      metadata(file, "codec", where), readVocabulary(file, "source_vocabulary", where),
      answers ? readVocabulary(file, "target_vocabulary", where) : data::Vocabulary(),
      where + ": codec", folder);
}

/// The task of a file and its texts, or why they are missing.
void readTask(const io::TensorFile& file, const std::string& where,
              const std::filesystem::path& folder, Document& document) {
  const data::TaskConfig task =
      data::withPlaces(data::taskConfigFromJson(metadata(file, "task", where)), folder);
  if (!file.metadata.contains("texts")) {
    document.task = task;
    return;
  }
  const data::TextReferences texts =
      data::textReferencesFromJson(metadata(file, "texts", where), folder, where + ": texts");
  try {
    document.task = data::withReferencedTexts(task, texts);
  } catch (const Error& problem) {
    document.missing = data::MissingTexts{data::withoutTexts(task), texts, problem};
  }
}

/// The metadata of a document's file.
std::map<std::string, std::string> metadataOf(const Document& d, const data::TextCodec& codec,
                                              const std::filesystem::path& folder) {
  std::map<std::string, std::string> metadata{
      {"format", kFormat},
      {"version", std::to_string(kVersion)},
      {"model", toJson(d.state.config)},
      {"train", toJson(d.train)},
      {"state", nlohmann::ordered_json{{"step", d.state.step},
                                       {"optimizer_step", d.state.optimizer_step},
                                       {"seed", d.state.seed}}
                    .dump()}};
  if (!d.family.empty()) metadata[kFamily] = d.family;
  if (!d.interventions.empty()) metadata[kInterventions] = toJson(d.interventions);
  if (!d.task) {
    writeCodec(codec, folder, metadata);
    if (!d.missing) return metadata;
    metadata["task"] = data::toJson(data::withStoredPaths(d.missing->task, folder));
    metadata["texts"] = data::toJson(d.missing->references, folder);
    return metadata;
  }
  metadata["source_vocabulary"] = codec.sourceVocabulary().toJson();
  metadata["target_vocabulary"] = codec.targetVocabulary().toJson();
  const auto texts = folder.empty() ? std::nullopt : data::referencesFor(*d.task);
  metadata["task"] =
      data::toJson(data::withStoredPaths(texts ? data::withoutTexts(*d.task) : *d.task, folder));
  if (!texts) return metadata;
  metadata["texts"] = data::toJson(*texts, folder);
  metadata["codec"] = codec.toJson(folder);  // for the case that the texts are not found
  return metadata;
}

/// So that the document finds its frozen encoder from another folder tree.
void rememberEncoder(const Document& document) {
  if (document.task && !document.task->encoder_content.empty())
    data::rememberPlace(document.task->encoder_content, document.task->encoder_path);
  if (document.codec && document.codec->features() != nullptr)
    data::rememberPlace(document.codec->features()->content(),
                        document.codec->features()->folder());
}

/// The folder of a file, never empty.
std::filesystem::path folderOf(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : ".";
}

}  // namespace

Document newDocument(const ModelConfig& model, const data::TaskConfig& task,
                     const TrainConfig& train) {
  validate(train);
  Document document;
  document.task = data::withTexts(task);
  document.train = train;
  const auto made = data::makeTask(*document.task);
  data::keepVocabulary(*document.task, *made);
  data::requireTwoClasses(*made);
  checkFit(model, *made);
  Trainer::requireMemory(model, *made, train.batch_size, 1, train.nesting);
  document.state = initialState(model, train.seed);
  // Reject texts that a document cannot keep now rather than after the training.
  io::requireWritable({{}, metadataOf(document, *made, {})}, "document");
  return document;
}

void requireTask(const Document& document) {
  if (document.missing) throw document.missing->problem;
  if (!document.task) throw noTask();
}

std::shared_ptr<const data::Task> makeTask(const Document& document) {
  requireTask(document);
  return data::makeTask(*document.task);
}

std::shared_ptr<const data::TextCodec> makeCodec(const Document& document) {
  if (document.task) return data::makeTask(*document.task);
  check(document.codec != nullptr, "a document has a task or a codec");
  return document.codec;
}

void giveTask(Document& document, const data::TaskConfig& config) {
  check(!document.task && document.codec, "a document keeps its task");
  data::TaskConfig task = data::withTexts(config);
  const auto made = data::makeTask(task);
  requireSuits(document.state.config, *document.codec, *made);
  data::keepVocabulary(task, *made);
  data::requireTwoClasses(*made);
  document.task = std::move(task);
  document.codec = nullptr;
  document.missing.reset();
}

std::optional<data::TaskConfig> likelyTask(const Document& document) {
  if (document.missing) {
    data::TaskConfig task = document.missing->task;
    task.label_first = document.missing->references.label_first;
    return task;
  }
  const data::TextCodec& codec = *document.codec;
  const auto is_its = [&](const data::TaskRow& row) { return row.name == codec.name(); };
  if (std::ranges::none_of(data::taskTable(), is_its)) return std::nullopt;
  data::TaskConfig task = data::defaultTaskConfig(codec.name());
  task.max_length = std::max<std::int64_t>(codec.maxSourceLength(), 2);
  task.context_length = codec.maxSourceLength();
  // Words have the letters and two special tokens, facts the people, a verb and two special tokens.
  task.alphabet_size = std::clamp<std::int64_t>(
      codec.sourceVocabulary().size() - (task.kind == "facts" ? 3 : 2), 2, 26);
  task.digits = std::clamp<std::int64_t>((codec.maxSourceLength() - 1) / 2, 1, 9);
  if (codec.form() == data::TaskForm::Numbers) {
    task.feature_width = codec.drawn().width;
    task.feature_seed = codec.drawn().seed;
    task.target_width = codec.targetVocabulary().size();
  }
  return data::readingLike(codec, std::move(task));
}

Document modelAlone(const Document& document) {
  Document alone;
  alone.train = document.train;
  alone.train.growths.clear();
  alone.state = document.state;
  forgetMoments(alone.state);
  alone.codec = makeCodec(document)->codec();
  alone.family = document.family;
  return alone;
}

io::TensorFile toTensorFile(const Document& d, const data::Task* task,
                            const std::filesystem::path& folder, io::Large large) {
  refuseInterventions(d.state.config, "document");
  io::TensorFile file;
  // Moments of a model that was never trained here are zeros, which need no place.
  writeState(d.state, d.task || d.state.optimizer_step > 0, large, file);
  writeHistory(d.history, file);
  if (isAbout(d.window, d.state)) writeWindow(d.window, d.state, file);
  file.metadata.merge(task != nullptr && d.task ? metadataOf(d, *task, folder)
                                                : metadataOf(d, *makeCodec(d), folder));
  return file;
}

namespace {

Document readDocument(const io::TensorFile& file, const std::string& where,
                      const std::filesystem::path& folder) {
  if (metadata(file, "format", where) != kFormat)
    throw Error("the format is '" + metadata(file, "format", where).substr(0, 40) + "'", where,
                std::string("Expected '") + kFormat + "'");
  if (metadata(file, "version", where) != std::to_string(kVersion))
    throw Error("the document has version " + metadata(file, "version", where).substr(0, 20), where,
                "This program reads version " + std::to_string(kVersion));
  Document d;
  d.state.config = modelConfigFromJson(metadata(file, "model", where), where + ": model");
  const bool has_task = file.metadata.contains("task") || !file.metadata.contains("codec");
  if (has_task) readTask(file, where, folder, d);
  // A model that was never trained here needs neither of these.
  if (has_task || file.metadata.contains("train"))
    d.train = trainConfigFromJson(metadata(file, "train", where), where + ": train");
  if (has_task || file.metadata.contains("state"))
    readSteps(metadata(file, "state", where), where + ": state", d.state);
  std::shared_ptr<const data::Task> task;
  if (d.task) {
    task = checkedTask(file, d, where);
  } else {
    d.codec = readCodec(file, where, folder);
    checkFit(d.state.config, *d.codec);
  }
  d.state.layout = parameterLayout(d.state.config);
  if (!file.unread.empty())
    throw Error("tensor " + io::inQuotes(file.unread.begin()->first) + " holds " +
                    file.unread.begin()->second,
                where, "No document has such a tensor: save it again without");
  TensorReader reader(file, where);
  readState(reader, d.state);
  if (const auto found = file.metadata.find(kFamily); found != file.metadata.end())
    d.family = found->second;
  if (const auto found = file.metadata.find(kInterventions); found != file.metadata.end())
    d.interventions = listedInterventionsFromJson(found->second, where + ": " + kInterventions);
  d.history = readHistory(reader, file, d.state.step);
  d.window = readWindow(reader, file, d.state, d.task ? *task : *d.codec);
  reader.refuseExtra();
  return d;
}

}  // namespace

Document fromTensorFile(const io::TensorFile& file, const std::string& where,
                        const std::filesystem::path& folder) {
  return inFile(where, [&] { return readDocument(file, where, folder); });
}

std::int64_t fileBytes(const Document& d) {
  const std::int64_t parameters = 3 * d.state.layout.total * std::int64_t(sizeof(float));
  const auto measured = std::int64_t(d.history.steps.size() * sizeof(StepMetrics) +
                                     d.history.evaluations.size() * sizeof(Evaluation));
  const std::size_t texts = d.task ? d.task->text.size() + d.task->test_text.size() : 0;
  return parameters + measured + std::int64_t(texts) + byteCount(d.window);
}

io::FileIdentity saveDocument(const std::filesystem::path& path, const Document& document,
                              const std::optional<io::FileIdentity>& known,
                              const data::Task* task) {
  io::TensorFile file = toTensorFile(document, task, folderOf(path), io::Large::InPlace);
  io::addChecksums(file);
  rememberEncoder(document);
  return io::writeSafetensors(path, file, known);
}

Document openDocument(const std::filesystem::path& path) {
  std::error_code ignored;
  if (isGguf(path) || std::filesystem::exists(path / "config.json", ignored))
    return importedModel(path);
  const io::TensorFile file = io::readSafetensors(path, io::Large::InPlace);
  io::requireChecksums(file, path.string());
  return fromTensorFile(file, path.string(), folderOf(path));
}

}  // namespace tfm::train
