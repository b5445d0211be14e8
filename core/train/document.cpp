// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/document.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "core/base/check.h"
#include "core/base/error.h"
#include "core/data/corpus.h"
#include "core/data/task_table.h"
#include "core/io/json_guard.h"
#include "core/io/safetensors.h"
#include "core/model/build_program.h"
#include "core/tensor/shape.h"

namespace tfm::train {
namespace {

constexpr const char* kFormat = "transformarium";
constexpr std::int64_t kVersion = 1;
const std::string kFirstMoment = "optimizer.first_moment.";
const std::string kSecondMoment = "optimizer.second_moment.";

/// One measured quantity of a history as a column of numbers.
template <class Point>
struct Column {
  const char* name;
  double (*get)(const Point&);
  void (*set)(Point&, double);
};

#define TFM_COLUMN(Point, prefix, field)                                \
  Column<Point> {                                                       \
    prefix #field, [](const Point& p) { return double(p.field); },      \
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

  const io::NamedTensor& get(const std::string& name, const std::vector<std::int64_t>& shape) {
    const io::NamedTensor& t = get(name);
    if (t.shape != shape)
      throw Error("tensor '" + name + "' is " + sizeText(t.shape), where_,
                  "The model's config needs " + sizeText(shape));
    return t;
  }
  const io::NamedTensor& get(const std::string& name) {
    const auto found = tensors_.find(name);
    if (found == tensors_.end())
      throw Error("tensor '" + name + "' is missing", where_,
                  "The file is not a whole document; save it again from where it came");
    wanted_.insert(name);
    return found->second;
  }
  template <class Point>
  std::vector<Point> columns(const std::vector<Column<Point>>& columns) {
    std::vector<Point> points;
    for (const Column<Point>& column : columns) {
      const std::vector<double> values = io::doubleValues(get(column.name));
      if (&column == &columns.front()) points.resize(values.size());
      if (values.size() != points.size())
        throw Error(
            std::string("'") + column.name + "' has " + std::to_string(values.size()) + " values",
            where_, "Expected " + std::to_string(points.size()));
      for (std::size_t i = 0; i < values.size(); ++i) column.set(points[i], values[i]);
    }
    return points;
  }
  void refuseExtra() const {
    for (const auto& [name, tensor] : tensors_)
      if (!wanted_.contains(name))
        throw Error("tensor '" + name + "' does not belong to the model", where_,
                    "The config in the file describes a model without it");
  }
  const std::string& where() const { return where_; }

 private:
  const io::NamedTensors& tensors_;
  std::string where_;
  std::set<std::string> wanted_;
};

AlignedVector<float> readParameters(TensorReader& reader, const ParameterLayout& layout,
                                    const std::string& prefix) {
  AlignedVector<float> arena(std::size_t(layout.total));
  for (const ParameterInfo& p : layout.parameters) {
    const io::NamedTensor& t = reader.get(prefix + p.name, sizes(p.shape));
    if (t.dtype != io::DType::F32)
      throw Error("tensor '" + prefix + p.name + "' holds " + std::string(io::dtypeName(t.dtype)),
                  reader.where(), "Expected F32");
    const std::vector<float> values = io::floatValues(t);
    std::copy(values.begin(), values.end(), arena.begin() + p.offset);
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

std::int64_t count(io::ObjectReader& reader, std::string_view name) {
  const std::int64_t value = reader.get<std::int64_t>(name, 0);
  if (value < 0) reader.wrong(name, "a whole number from 0");
  return value;
}

/// The task with its file's text inside, so that the document needs no other file.
data::TaskConfig selfContained(data::TaskConfig config) {
  if (data::findTask(config.kind).form == data::TaskForm::Text || !config.path.empty())
    config.text = data::corpusText(config);
  return config;
}

}  // namespace

Document newDocument(const ModelConfig& model, const data::TaskConfig& task,
                     const TrainConfig& train) {
  validate(train);
  Document document;
  document.task = selfContained(task);
  document.train = train;
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
  const nlohmann::json state_json =
      io::parseJson(metadata(file, "state", where), where + ": state");
  io::ObjectReader state(state_json, where + ": state");
  d.state.step = count(state, "step");
  d.state.optimizer_step = count(state, "optimizer_step");
  if (const nlohmann::json* seed = state.child("seed")) {
    if (!seed->is_number_unsigned()) state.wrong("seed", "a whole number from 0");
    d.state.seed = seed->get<std::uint64_t>();
  }
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
