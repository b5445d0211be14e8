// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/document.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <type_traits>

#include "core/base/check.h"
#include "core/base/error.h"
#include "core/data/corpus.h"
#include "core/data/task_table.h"
#include "core/io/json_guard.h"
#include "core/io/message_text.h"
#include "core/io/safetensors.h"
#include "core/model/build_program.h"
#include "core/tensor/shape.h"
#include "core/train/fit_task.h"
#include "core/train/trainer.h"

namespace tfm::train {
namespace {

constexpr const char* kFormat = "transformarium";
constexpr std::int64_t kVersion = 1;
// The largest whole number that every reader of JSON and F64 keeps.
constexpr std::int64_t kMostCounted = std::int64_t{1} << 53;
const std::string kFirstMoment = "optimizer.first_moment.";
const std::string kSecondMoment = "optimizer.second_moment.";

/// One measured quantity of a history as a column of numbers.
template <class Point>
struct Column {
  const char* name;
  bool counts;  ///< whole numbers from 0
  double (*get)(const Point&);
  void (*set)(Point&, double);
};

#define TFM_COLUMN(Point, prefix, field)                                \
  Column<Point> {                                                       \
    prefix #field, std::is_integral_v<decltype(Point::field)>,          \
        [](const Point& p) { return double(p.field); },                 \
        [](Point& p, double v) { p.field = decltype(Point::field)(v); } \
  }

const std::vector<Column<StepMetrics>>& stepColumns() {
  static const std::vector<Column<StepMetrics>> kColumns{
      TFM_COLUMN(StepMetrics, "history.", step),
      TFM_COLUMN(StepMetrics, "history.", loss),
      TFM_COLUMN(StepMetrics, "history.", accuracy),
      TFM_COLUMN(StepMetrics, "history.", position_accuracy),
      TFM_COLUMN(StepMetrics, "history.", learning_rate),
      TFM_COLUMN(StepMetrics, "history.", gradient_norm),
      TFM_COLUMN(StepMetrics, "history.", seconds),
  };
  return kColumns;
}

const std::vector<Column<Evaluation>>& evaluationColumns() {
  static const std::vector<Column<Evaluation>> kColumns{
      TFM_COLUMN(Evaluation, "history.evaluation.", step),
      TFM_COLUMN(Evaluation, "history.evaluation.", examples),
      TFM_COLUMN(Evaluation, "history.evaluation.", loss),
      TFM_COLUMN(Evaluation, "history.evaluation.", accuracy),
      TFM_COLUMN(Evaluation, "history.evaluation.", position_accuracy),
  };
  return kColumns;
}

#undef TFM_COLUMN

template <class Point>
void writeColumns(const std::vector<Column<Point>>& columns, const std::vector<Point>& points,
                  io::NamedTensors& tensors) {
  for (const Column<Point>& column : columns) {
    std::vector<double> values;
    values.reserve(points.size());
    for (const Point& point : points) values.push_back(column.get(point));
    tensors[column.name] = io::makeTensor({std::int64_t(values.size())}, values);
  }
}

void writeParameters(const ParameterLayout& layout, const std::string& prefix,
                     std::span<const float> arena, io::NamedTensors& tensors) {
  for (const ParameterInfo& p : layout.parameters)
    tensors[prefix + p.name] =
        io::makeTensor(sizes(p.shape), arena.subspan(std::size_t(p.offset), std::size_t(p.size())));
}

/// Fetches tensors by name and remembers which were wanted.
class TensorReader {
 public:
  TensorReader(const io::NamedTensors& tensors, std::string where)
      : tensors_(tensors), where_(std::move(where)) {}

  const io::NamedTensor& get(const std::string& name, io::DType dtype) {
    const auto found = tensors_.find(name);
    if (found == tensors_.end())
      throw Error("tensor '" + name + "' is missing", where_,
                  "The file is not a whole document; save it again from where it came");
    if (found->second.dtype != dtype)
      throw Error("tensor '" + name + "' holds " + std::string(io::dtypeName(found->second.dtype)),
                  where_, "Expected " + std::string(io::dtypeName(dtype)));
    wanted_.insert(name);
    return found->second;
  }
  const io::NamedTensor& get(const std::string& name, const std::vector<std::int64_t>& shape) {
    const io::NamedTensor& t = get(name, io::DType::F32);
    if (t.shape != shape)
      throw Error("tensor '" + name + "' is " + sizeText(t.shape), where_,
                  "The model's config needs " + sizeText(shape));
    return t;
  }
  template <class Point>
  std::vector<Point> columns(const std::vector<Column<Point>>& columns) {
    std::vector<Point> points;
    for (const Column<Point>& column : columns) {
      const io::NamedTensor& t = get(column.name, io::DType::F64);
      if (&column == &columns.front() && t.shape.size() == 1)
        points.resize(std::size_t(t.shape.front()));
      if (t.shape != std::vector{std::int64_t(points.size())})
        throw Error(std::string("tensor '") + column.name + "' is " + sizeText(t.shape), where_,
                    "Expected one number for each measurement, as many as in '" +
                        std::string(columns.front().name) + "'");
      const std::vector<double> values = io::doubleValues(t);
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (column.counts) requireCount(column.name, values[i]);
        column.set(points[i], values[i]);
      }
    }
    return points;
  }
  void refuseExtra() const {
    for (const auto& [name, tensor] : tensors_)
      if (!wanted_.contains(name))
        throw Error("tensor '" + name + "' does not belong to the model", where_,
                    "The config in the file describes a model without it");
  }

 private:
  void requireCount(const char* name, double value) const {
    if (value >= 0.0 && value <= double(kMostCounted) && value == std::floor(value)) return;
    throw Error("tensor '" + std::string(name) + "' holds " + std::to_string(value), where_,
                "Expected whole numbers from 0 to 2^53");
  }

  const io::NamedTensors& tensors_;
  std::string where_;
  std::set<std::string> wanted_;
};

AlignedVector<float> readParameters(TensorReader& reader, const ParameterLayout& layout,
                                    const std::string& prefix) {
  // All tensors are found to be there before memory for a model is taken that only the config
  // claims.
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

const std::string& metadata(const io::TensorFile& file, const std::string& key,
                            const std::string& where) {
  const auto found = file.metadata.find(key);
  if (found == file.metadata.end())
    throw Error("the metadata has no '" + key + "'", where,
                "This is a safetensors file, but not a Transformarium document");
  return found->second;
}

/// A member that must be there: going on from a wrong step would be worse than not opening.
std::uint64_t count(io::ObjectReader& reader, std::string_view name, std::uint64_t most) {
  const nlohmann::json* value = reader.child(name);
  if (value == nullptr)
    throw Error("'" + std::string(name) + "' is missing", reader.where(),
                "The file is not a whole document; save it again from where it came");
  if (!value->is_number_unsigned() || value->get<std::uint64_t>() > most)
    reader.wrong(name, "a whole number from 0 to " + std::to_string(most));
  return value->get<std::uint64_t>();
}

void readState(const std::string& json, const std::string& where, ModelState& state) {
  const nlohmann::json object = io::parseJson(json, where);
  io::ObjectReader reader(object, where);
  state.step = std::int64_t(count(reader, "step", kMostCounted));
  state.optimizer_step = std::int64_t(count(reader, "optimizer_step", kMostCounted));
  state.seed = count(reader, "seed", std::numeric_limits<std::uint64_t>::max());
  reader.refuseUnknown();
}

bool learnsFromText(const data::TaskConfig& config) {
  const data::TaskRow& row = data::findTask(config.kind);
  return row.needs_file || row.form == data::TaskForm::Text;
}

/// The task with its file's text inside, so that the document needs no other file.
data::TaskConfig selfContained(data::TaskConfig config) {
  if (learnsFromText(config)) config.text = data::corpusText(config);
  return config;
}

/// A file's model must be one that its task can be learnt with, letter by letter.
void checkTask(const io::TensorFile& file, const Document& document, const std::string& where) {
  if (learnsFromText(document.task) && document.task.text.empty())
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

}  // namespace

Document newDocument(const ModelConfig& model, const data::TaskConfig& task,
                     const TrainConfig& train) {
  validate(train);
  Document document;
  document.task = selfContained(task);
  document.train = train;
  const auto made = data::makeTask(document.task);
  checkFit(model, *made);
  Trainer::requireMemory(model, *made, train.batch_size, 1);
  document.state = initialState(model, train.seed);
  return document;
}

io::TensorFile toTensorFile(const Document& d) {
  io::TensorFile file;
  writeParameters(d.state.layout, "", d.state.parameters, file.tensors);
  writeParameters(d.state.layout, kFirstMoment, d.state.first_moment, file.tensors);
  writeParameters(d.state.layout, kSecondMoment, d.state.second_moment, file.tensors);
  writeColumns(stepColumns(), d.history.steps, file.tensors);
  writeColumns(evaluationColumns(), d.history.evaluations, file.tensors);
  file.metadata["format"] = kFormat;
  file.metadata["version"] = std::to_string(kVersion);
  file.metadata["model"] = toJson(d.state.config);
  file.metadata["task"] = data::toJson(d.task);
  file.metadata["train"] = toJson(d.train);
  file.metadata["state"] = nlohmann::ordered_json{
      {"step", d.state.step},
      {"optimizer_step", d.state.optimizer_step},
      {"seed", d.state.seed}}.dump();
  const auto task = data::makeTask(d.task);
  file.metadata["source_vocabulary"] = task->sourceVocabulary().toJson();
  file.metadata["target_vocabulary"] = task->targetVocabulary().toJson();
  return file;
}

Document fromTensorFile(const io::TensorFile& file, const std::string& where) {
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
  d.state.first_moment = readParameters(reader, d.state.layout, kFirstMoment);
  d.state.second_moment = readParameters(reader, d.state.layout, kSecondMoment);
  d.history.steps = reader.columns(stepColumns());
  d.history.evaluations = reader.columns(evaluationColumns());
  reader.refuseExtra();
  return d;
}

void saveDocument(const std::filesystem::path& path, const Document& document) {
  io::writeSafetensors(path, toTensorFile(document));
}

Document openDocument(const std::filesystem::path& path) {
  return fromTensorFile(io::readSafetensors(path), path.string());
}

}  // namespace tfm::train
