// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/document/history_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "core/base/error.h"
#include "core/document/history.h"
#include "core/io/fields.h"
#include "core/io/json_guard.h"
#include "core/io/message_text.h"
#include "core/matformer/nesting.h"
#include "core/tensor/shape.h"

namespace tfm::train {
namespace {

constexpr const char* kEvents = "events";

/// One quantity of a history as a column of numbers.
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

/// A score with the index of its evaluation; within one, the smallest granularity comes first.
struct NumberedScore {
  std::int64_t evaluation = 0;
  double loss = 0.0;
  double accuracy = 0.0;
};

const std::vector<Column<NumberedScore>>& scoreColumns() {
  static const std::vector<Column<NumberedScore>> kColumns{
      TFM_COLUMN(NumberedScore, "history.granularity.", evaluation),
      TFM_COLUMN(NumberedScore, "history.granularity.", loss),
      TFM_COLUMN(NumberedScore, "history.granularity.", accuracy),
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

void requireCount(const char* name, double value, const std::string& where) {
  if (value >= 0.0 && value <= double(kMaxCounted) && value == std::floor(value)) return;
  throw Error("tensor '" + std::string(name) + "' holds " + std::to_string(value), where,
              "Expected whole numbers from 0 to 2^53");
}

template <class Point>
std::vector<Point> readColumns(const std::vector<Column<Point>>& columns, TensorReader& reader) {
  std::vector<Point> points;
  for (const Column<Point>& column : columns) {
    const io::NamedTensor& t = reader.get(column.name, io::DType::F64);
    if (&column == &columns.front() && t.shape.size() == 1)
      points.resize(std::size_t(t.shape.front()));
    if (t.shape != std::vector{std::int64_t(points.size())})
      throw Error(std::string("tensor '") + column.name + "' is " + sizeText(t.shape),
                  reader.where(),
                  "Expected one number for each measurement, as many as in '" +
                      std::string(columns.front().name) + "'");
    const std::vector<double> values = io::doubleValues(t);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (column.counts) requireCount(column.name, values[i], reader.where());
      column.set(points[i], values[i]);
    }
  }
  return points;
}

/// Requires ascending steps up to the model's; `apart`: the minimum distance.
template <class Point>
void requireOrder(const std::vector<Point>& points, const Column<Point>& column, std::int64_t apart,
                  std::int64_t latest, const std::string& where) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::int64_t step = points[i].step;
    const std::int64_t least = (i == 0 ? 0 : points[i - 1].step) + apart;
    if (step < least || step > latest)
      throw Error(std::string("tensor '") + column.name + "' holds step " + std::to_string(step) +
                      " at index " + std::to_string(i),
                  where,
                  "Expected a step from " + std::to_string(least) + " to the model's " +
                      std::to_string(latest));
  }
}

std::vector<NumberedScore> scoresOf(const std::vector<Evaluation>& evaluations) {
  std::vector<NumberedScore> scores;
  for (std::size_t i = 0; i < evaluations.size(); ++i)
    for (const GranularityScore& s : evaluations[i].granularities)
      scores.push_back({std::int64_t(i), s.loss, s.accuracy});
  return scores;
}

/// Only nested models have scores of granularities.
void readScores(TensorReader& reader, std::vector<Evaluation>& evaluations) {
  if (!reader.has(scoreColumns().front().name)) return;
  for (const NumberedScore& score : readColumns(scoreColumns(), reader)) {
    if (score.evaluation >= std::int64_t(evaluations.size()))
      throw Error("a granularity was measured in evaluation " + std::to_string(score.evaluation),
                  reader.where(), "Expected numbers below " + std::to_string(evaluations.size()));
    auto& scores = evaluations[std::size_t(score.evaluation)].granularities;
    scores.push_back({score.loss, score.accuracy});
    if (scores.size() > matformer::kMaxGranularities)
      throw Error(std::to_string(scores.size()) + " granularities in evaluation " +
                      std::to_string(score.evaluation),
                  reader.where(),
                  "Allowed: at most " + std::to_string(matformer::kMaxGranularities));
  }
}

std::string eventsJson(const std::vector<HistoryEvent>& events) {
  auto list = nlohmann::ordered_json::array();
  for (const HistoryEvent& event : events)
    list.push_back({{"step", event.step}, {"kind", eventName(event.kind)}, {"text", event.text}});
  return list.dump();
}

EventKind readKind(io::ObjectReader& reader) {
  const auto word = reader.get<std::string>("kind", {});
  constexpr std::array kKinds{EventKind::Growth, EventKind::LearningRate, EventKind::Restored,
                              EventKind::Note};
  for (const EventKind kind : kKinds)
    if (word == eventName(kind)) return kind;
  throw Error("'kind' is '" + io::shortened(word, 40) + "'", reader.where(),
              "Expected one of growth, learning_rate, restored, note");
}

/// `earliest`: the step of the event before; `latest`: of the model.
HistoryEvent readEvent(const nlohmann::json& json, const std::string& where, std::int64_t earliest,
                       std::int64_t latest) {
  io::ObjectReader reader(json, where);
  const nlohmann::json* step = reader.child("step");
  const bool counts = step != nullptr && step->is_number_unsigned() &&
                      step->get<std::uint64_t>() <= std::uint64_t(kMaxCounted);
  const std::int64_t at = counts ? step->get<std::int64_t>() : -1;
  if (at < earliest || at > latest)
    throw Error("'step' is " + (step != nullptr ? io::shortened(step->dump(), 40) : "missing"),
                where,
                "Expected a whole number from " + std::to_string(earliest) + " to " +
                    std::to_string(latest));
  HistoryEvent event{at, readKind(reader), reader.get<std::string>("text", {})};
  if (event.text.size() > kLongestEvent)
    throw Error("'text' has " + std::to_string(event.text.size()) + " bytes", where,
                "Allowed: at most " + std::to_string(kLongestEvent));
  reader.refuseUnknown();
  return event;
}

std::vector<HistoryEvent> readEvents(const std::string& json, const std::string& where,
                                     std::int64_t step) {
  const nlohmann::json list = io::parseJson(json, where);
  if (!list.is_array()) throw Error("this is not a list", where, "Expected a JSON list of events");
  if (list.size() > kMaxEvents)
    throw Error("there are " + std::to_string(list.size()) + " events", where,
                "Allowed: at most " + std::to_string(kMaxEvents));
  std::vector<HistoryEvent> events;
  for (const nlohmann::json& one : list)
    events.push_back(readEvent(one, where + "[" + std::to_string(events.size()) + "]",
                               events.empty() ? 0 : events.back().step, step));
  return events;
}

}  // namespace

void writeHistory(const History& history, io::TensorFile& file) {
  // Of a model that was never measured here they would be empty tensors, which others stumble over.
  if (!history.steps.empty() || !history.evaluations.empty()) {
    writeColumns(stepColumns(), history.steps, file.tensors);
    writeColumns(evaluationColumns(), history.evaluations, file.tensors);
  }
  if (const std::vector<NumberedScore> scores = scoresOf(history.evaluations); !scores.empty())
    writeColumns(scoreColumns(), scores, file.tensors);
  if (!history.events.empty()) file.metadata[kEvents] = eventsJson(history.events);
}

namespace {

void readMeasurements(TensorReader& reader, std::int64_t step, History& history) {
  history.steps = readColumns(stepColumns(), reader);
  history.evaluations = readColumns(evaluationColumns(), reader);
  requireOrder(history.steps, stepColumns().front(), 1, step, reader.where());
  requireOrder(history.evaluations, evaluationColumns().front(), 0, step, reader.where());
  readScores(reader, history.evaluations);
}

}  // namespace

History readHistory(TensorReader& reader, const io::TensorFile& file, std::int64_t step) {
  History history;
  const bool measured = std::ranges::any_of(
      file.tensors, [](const auto& t) { return t.first.starts_with("history."); });
  if (measured) readMeasurements(reader, step, history);
  if (const auto found = file.metadata.find(kEvents); found != file.metadata.end())
    history.events = readEvents(found->second, reader.where() + ": " + kEvents, step);
  return history;
}

}  // namespace tfm::train
