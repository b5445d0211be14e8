// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/document.h"

#include <algorithm>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/in_file.h"
#include "core/data/self_contained.h"
#include "core/data/task_statistics.h"
#include "core/data/task_table.h"
#include "core/io/checksum.h"
#include "core/io/json_guard.h"
#include "core/io/message_text.h"
#include "core/io/safetensors.h"
#include "core/model/build_program.h"
#include "core/tensor/shape.h"
#include "core/train/fit_task.h"
#include "core/train/history_file.h"
#include "core/train/tensor_reader.h"
#include "core/train/trainer.h"

namespace tfm::train {
namespace {

constexpr const char* kFormat = "transformarium";
constexpr std::int64_t kVersion = 1;
const std::string kMissedSteps = "optimizer.missed_steps";
const std::string kFirstMoment = "optimizer.first_moment.";
const std::string kSecondMoment = "optimizer.second_moment.";

void writeParameters(const ParameterLayout& layout, const std::string& prefix,
                     std::span<const float> arena, io::NamedTensors& tensors) {
  for (const ParameterInfo& p : layout.parameters)
    tensors[prefix + p.name] =
        io::makeTensor(sizes(p.shape), arena.subspan(std::size_t(p.offset), std::size_t(p.size())));
}

AlignedVector<float> readParameters(TensorReader& reader, const ParameterLayout& layout,
                                    const std::string& prefix) {
  // Find all tensors before allocating what the config claims.
  std::vector<const io::NamedTensor*> tensors;
  for (const ParameterInfo& p : layout.parameters)
    tensors.push_back(&reader.get(prefix + p.name, sizes(p.shape)));
  AlignedVector<float> arena(std::size_t(layout.total));
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const std::vector<float> values = io::floatValues(*tensors[i]);
    std::copy(values.begin(), values.end(), arena.begin() + layout.parameters[i].offset);
  }
  return arena;
}

io::NamedTensor missedStepsTensor(const std::vector<MissedSteps>& missed) {
  std::vector<std::int64_t> values;
  for (const MissedSteps& run : missed)
    values.insert(values.end(), {run.first, run.count, run.steps});
  return io::makeTensor({std::int64_t(missed.size()), 3}, values);
}

/// Needs the layout and the optimizer's step of `state`.
std::vector<MissedSteps> readMissedSteps(TensorReader& reader, const ModelState& state) {
  if (!reader.has(kMissedSteps)) return {};
  const io::NamedTensor& t = reader.get(kMissedSteps, io::DType::I64);
  if (t.shape.size() != 2 || t.shape[0] < 1 || t.shape[1] != 3)
    throw Error("tensor '" + kMissedSteps + "' is " + sizeText(t.shape), reader.where(),
                "Expected three numbers for each run of parameters");
  const std::vector<std::int64_t> values = io::integerValues(t, kMissedSteps);
  std::vector<MissedSteps> missed;
  std::int64_t end = 0;
  for (std::size_t i = 0; i < values.size(); i += 3) {
    const MissedSteps run{values[i], values[i + 1], values[i + 2]};
    const bool fits = run.first >= end && run.first < state.layout.total && run.count >= 1 &&
                      run.count <= state.layout.total - run.first;
    const bool counts = run.steps >= 0 && run.steps <= state.optimizer_step;
    if (!fits || !counts)
      throw Error("tensor '" + kMissedSteps + "' says that " + std::to_string(run.count) +
                      " parameters from " + std::to_string(run.first) +
                      " missed steps: " + std::to_string(run.steps),
                  reader.where(),
                  "Expected runs in order and without overlap among " +
                      std::to_string(state.layout.total) + " parameters, and at most " +
                      std::to_string(state.optimizer_step) + " missed");
    missed.push_back(run);
    end = run.first + run.count;
  }
  return missed;
}

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

void readState(const std::string& json, const std::string& where, ModelState& state) {
  const nlohmann::json object = io::parseJson(json, where);
  io::ObjectReader reader(object, where);
  state.step = std::int64_t(count(reader, "step", kMaxCounted));
  state.optimizer_step = std::int64_t(count(reader, "optimizer_step", kMaxCounted));
  state.seed = count(reader, "seed", std::numeric_limits<std::uint64_t>::max());
  reader.refuseUnknown();
}

/// A file's model must be one that its task can be learnt with, letter by letter.
void checkTask(const io::TensorFile& file, const Document& document, const std::string& where) {
  if (!data::isSelfContained(document.task))
    throw Error("the text is empty", where + ": task.text",
                "A document holds the text that its model learns from");
  const auto task = data::makeTask(document.task);
  checkFit(document.state.config, *task);
  const auto same = [&](const std::string& key, const data::Vocabulary& vocabulary) {
    if (metadata(file, key, where) != vocabulary.toJson())
      throw Error("the metadata '" + key + "' is not the vocabulary of the task", where,
                  "Expected " + io::shortened(vocabulary.toJson(), 60));
  };
  same("source_vocabulary", task->sourceVocabulary());
  same("target_vocabulary", task->targetVocabulary());
}

/// The metadata of a document's file.
std::map<std::string, std::string> metadataOf(const Document& d, const data::Task& task) {
  return {{"format", kFormat},
          {"version", std::to_string(kVersion)},
          {"model", toJson(d.state.config)},
          {"task", data::toJson(d.task)},
          {"train", toJson(d.train)},
          {"state", nlohmann::ordered_json{{"step", d.state.step},
                                           {"optimizer_step", d.state.optimizer_step},
                                           {"seed", d.state.seed}}
                        .dump()},
          {"source_vocabulary", task.sourceVocabulary().toJson()},
          {"target_vocabulary", task.targetVocabulary().toJson()}};
}

}  // namespace

Document newDocument(const ModelConfig& model, const data::TaskConfig& task,
                     const TrainConfig& train) {
  validate(train);
  Document document;
  document.task = data::withTexts(task);
  document.train = train;
  const auto made = data::makeTask(document.task);
  data::keepVocabulary(document.task, *made);
  data::requireTwoClasses(*made);
  checkFit(model, *made);
  Trainer::requireMemory(model, *made, train.batch_size, 1, train.nesting);
  document.state = initialState(model, train.seed);
  // Reject texts that a document cannot keep now rather than after the training.
  io::requireWritable({{}, metadataOf(document, *made)}, "document");
  return document;
}

io::TensorFile toTensorFile(const Document& d, const data::Task* task) {
  io::TensorFile file;
  writeParameters(d.state.layout, "", d.state.parameters, file.tensors);
  writeParameters(d.state.layout, kFirstMoment, d.state.first_moment, file.tensors);
  writeParameters(d.state.layout, kSecondMoment, d.state.second_moment, file.tensors);
  if (!d.state.missed_steps.empty())
    file.tensors[kMissedSteps] = missedStepsTensor(d.state.missed_steps);
  writeHistory(d.history, file);
  file.metadata.merge(task != nullptr ? metadataOf(d, *task)
                                      : metadataOf(d, *data::makeTask(d.task)));
  return file;
}

namespace {

bool hasOptimizer(const io::TensorFile& file) {
  return std::ranges::any_of(file.tensors,
                             [](const auto& t) { return t.first.starts_with("optimizer."); });
}

Document readDocument(const io::TensorFile& file, const std::string& where) {
  if (metadata(file, "format", where) != kFormat)
    throw Error("the format is '" + metadata(file, "format", where).substr(0, 40) + "'", where,
                std::string("Expected '") + kFormat + "'");
  if (metadata(file, "version", where) != std::to_string(kVersion))
    throw Error("the document has version " + metadata(file, "version", where).substr(0, 20), where,
                "This program reads version " + std::to_string(kVersion));
  Document d;
  d.state.config = modelConfigFromJson(metadata(file, "model", where), where + ": model");
  d.task = data::taskConfigFromJson(metadata(file, "task", where));
  d.train = trainConfigFromJson(metadata(file, "train", where), where + ": train");
  readState(metadata(file, "state", where), where + ": state", d.state);
  checkTask(file, d, where);
  d.state.layout = parameterLayout(d.state.config);
  TensorReader reader(file.tensors, where);
  d.state.parameters = readParameters(reader, d.state.layout, "");
  if (hasOptimizer(file)) {
    d.state.first_moment = readParameters(reader, d.state.layout, kFirstMoment);
    d.state.second_moment = readParameters(reader, d.state.layout, kSecondMoment);
    d.state.missed_steps = readMissedSteps(reader, d.state);
  } else {  // weights from elsewhere: the optimizer starts from zero
    d.state.first_moment.assign(d.state.parameters.size(), 0.0F);
    d.state.second_moment.assign(d.state.parameters.size(), 0.0F);
    d.state.optimizer_step = 0;
  }
  d.history = readHistory(reader, file, d.state.step);
  reader.refuseExtra();
  return d;
}

}  // namespace

Document fromTensorFile(const io::TensorFile& file, const std::string& where) {
  return inFile(where, [&] { return readDocument(file, where); });
}

std::int64_t fileBytes(const Document& d) {
  const std::int64_t parameters = 3 * d.state.layout.total * std::int64_t(sizeof(float));
  const auto measured = std::int64_t(d.history.steps.size() * sizeof(StepMetrics) +
                                     d.history.evaluations.size() * sizeof(Evaluation));
  return parameters + measured + std::int64_t(d.task.text.size());
}

io::FileIdentity saveDocument(const std::filesystem::path& path, const Document& document,
                              const std::optional<io::FileIdentity>& known,
                              const data::Task* task) {
  io::TensorFile file = toTensorFile(document, task);
  io::addChecksums(file);
  return io::writeSafetensors(path, file, known);
}

Document openDocument(const std::filesystem::path& path) {
  const io::TensorFile file = io::readSafetensors(path);
  io::requireChecksums(file, path.string());
  return fromTensorFile(file, path.string());
}

}  // namespace tfm::train
