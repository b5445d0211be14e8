// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/document/window_file.h"

#include <algorithm>
#include <bit>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>

#include "core/base/error.h"
#include "core/base/in_file.h"
#include "core/document/state_tensors.h"
#include "core/io/fields.h"
#include "core/io/json_guard.h"
#include "core/tensor/shape.h"
#include "core/train/fit_task.h"

namespace tfm::train {
namespace {

const std::string kWindow = "window";
const std::string kNumbers = "window.moments";
constexpr std::array kPinNames{"A", "B"};
// Each is one tensor, in the order of the model's parameters: hundreds of small ones, times the
// moments, would take more room for their names than for their numbers.
constexpr const char* kParameters = "parameters";
constexpr const char* kFirst = "first_moment";
constexpr const char* kSecond = "second_moment";

/// What a row of window.moments says of a moment.
enum MomentColumn { kAtStep, kAtOptimizerStep, kOfSeed, kAfterEvents, kIsLandmark, kColumns };

std::string prefixOf(std::size_t moment) { return "window.moment." + std::to_string(moment) + "."; }

/// The moments of a file: those of the course, then pins that are none of them.
struct KeptMoments {
  std::vector<Moment> all;
  std::array<std::int64_t, 2> pins{-1, -1};  ///< which of them; -1: not pinned
};

KeptMoments keptMoments(const WindowState& window) {
  KeptMoments kept{window.moments};
  for (std::size_t slot = 0; slot < window.pins.size(); ++slot) {
    const auto& pin = window.pins[slot];
    if (!pin) continue;
    const auto same = [&](const Moment& m) {
      return m.state == pin->state && m.events == pin->events;
    };
    const auto found = std::ranges::find_if(kept.all, same);
    kept.pins[slot] = found - kept.all.begin();
    if (found == kept.all.end()) kept.all.push_back(*pin);
  }
  return kept;
}

void writeMoments(const KeptMoments& kept, const ModelState& now, io::TensorFile& file,
                  nlohmann::ordered_json& json) {
  std::vector<std::int64_t> numbers;
  for (std::size_t i = 0; i < kept.all.size(); ++i) {
    const Moment& moment = kept.all[i];
    const ModelState& state = *moment.state;
    numbers.insert(numbers.end(),
                   {state.step, state.optimizer_step, std::bit_cast<std::int64_t>(state.seed),
                    moment.events, std::int64_t(moment.landmark)});
    const auto arena = [&](const char* name, std::span<const float> values) {
      file.tensors[prefixOf(i) + name] = io::makeTensor({state.layout.total}, values);
    };
    arena(kParameters, state.parameters);
    arena(kFirst, state.first_moment);
    arena(kSecond, state.second_moment);
    writeMissedSteps(state, prefixOf(i), file.tensors);
    if (!(state.config == now.config))
      json["models"][std::to_string(i)] = nlohmann::ordered_json::parse(toJson(state.config));
  }
  file.tensors[kNumbers] = io::makeTensor({std::int64_t(kept.all.size()), kColumns}, numbers);
}

/// The moments of a file, without an order.
std::vector<Moment> readMoments(TensorReader& reader, const nlohmann::json* models,
                                const ModelState& now, const data::TextCodec& codec) {
  const io::NamedTensor& t = reader.get(kNumbers, io::DType::I64);
  if (t.shape.size() != 2 || t.shape[1] != kColumns)
    throw Error("tensor '" + kNumbers + "' is " + sizeText(t.shape), reader.where(),
                "Expected " + std::to_string(kColumns) + " numbers for each moment");
  const std::vector<std::int64_t> numbers = io::integerValues(t, kNumbers);
  std::vector<Moment> moments;
  for (std::size_t i = 0; i * kColumns < numbers.size(); ++i) {
    const std::int64_t* row = &numbers[i * kColumns];
    const auto counts = {row[kAtStep], row[kAtOptimizerStep], row[kAfterEvents]};
    if (std::ranges::any_of(counts, [](std::int64_t n) { return n < 0 || n > kMaxCounted; }))
      throw Error("tensor '" + kNumbers + "' has a negative or too large number for moment " +
                      std::to_string(i),
                  reader.where(), "Expected steps and numbers of events");
    auto state = std::make_shared<ModelState>();
    const std::string name = std::to_string(i);
    const std::string where = reader.where() + ": " + kWindow + ".models." + name;
    if (models != nullptr && models->contains(name))
      state->config = modelConfigFromJson(models->at(name).dump(), where);
    else
      state->config = now.config;
    inFile(where, [&] { checkFit(state->config, codec); });
    state->layout = parameterLayout(state->config);
    state->step = row[kAtStep];
    state->optimizer_step = row[kAtOptimizerStep];
    state->seed = std::bit_cast<std::uint64_t>(row[kOfSeed]);
    const auto arena = [&](const char* name) {
      reader.require(prefixOf(i) + name, {state->layout.total});
      AlignedVector<float> values(std::size_t(state->layout.total));
      reader.read(prefixOf(i) + name, values);
      return values;
    };
    state->parameters = arena(kParameters);
    state->first_moment = arena(kFirst);
    state->second_moment = arena(kSecond);
    state->missed_steps = readMissedSteps(reader, prefixOf(i), *state);
    moments.push_back({std::move(state), row[kAfterEvents], row[kIsLandmark] != 0});
  }
  return moments;
}

void requireOrder(const std::vector<Moment>& moments, const ModelState& now,
                  const std::string& where) {
  for (std::size_t i = 0; i < moments.size(); ++i) {
    const Moment& before = moments[i == 0 ? 0 : i - 1];
    if (moments[i].step() < before.step() || moments[i].events < before.events ||
        moments[i].step() > now.step)
      throw Error(
          "moment " + std::to_string(i) + " is of step " + std::to_string(moments[i].step()), where,
          "Expected moments in the order of time, up to step " + std::to_string(now.step));
  }
}

std::int64_t number(io::ObjectReader& reader, std::string_view name, std::int64_t fallback,
                    std::size_t count) {
  const auto value = reader.get<std::int64_t>(name, fallback);
  if (value != fallback && (value < 0 || value >= std::int64_t(count)))
    reader.throwInvalid(name, "a number below " + std::to_string(count));
  return value;
}

void readTexts(io::ObjectReader& reader, WindowState& window) {
  if (const nlohmann::json* texts = reader.child("texts")) {
    if (!texts->is_array() ||
        std::ranges::any_of(*texts, [](const auto& text) { return !text.is_string(); }))
      reader.throwInvalid("texts", "a list of texts");
    window.texts = texts->get<std::vector<std::string>>();
  }
  window.text = number(reader, "text", 0, window.texts.size());
}

bool hasWhatIsShown(const WindowState& window) {
  const auto& [a, b] = window.pins;
  switch (window.shown) {
    case WindowState::Shown::Present:
      return true;
    case WindowState::Shown::Moment:
      return !window.moments.empty();
    case WindowState::Shown::A:
      return a.has_value();
    case WindowState::Shown::B:
      return b.has_value();
    case WindowState::Shown::Difference:
      return a && b;
  }
  return false;
}

void readParts(io::ObjectReader& reader, WindowState& window) {
  const nlohmann::json* parts = reader.child("parts");
  if (parts == nullptr) return;
  if (!parts->is_object()) reader.throwInvalid("parts", "an object");
  for (const auto& [name, part] : parts->items()) {
    if (!part.is_object() ||
        std::ranges::any_of(part, [](const auto& value) { return value.is_object(); }))
      reader.throwInvalid("parts", "an object of values for each part");
    window.parts[name] = part.dump();
  }
}

}  // namespace

void writeWindow(const WindowState& window, const ModelState& now, io::TensorFile& file) {
  nlohmann::ordered_json json;
  const KeptMoments kept = keptMoments(window);
  writeMoments(kept, now, file, json);
  json["course"] = window.moments.size();
  for (std::size_t slot = 0; slot < kept.pins.size(); ++slot)
    if (kept.pins[slot] >= 0) {
      json["pins"][kPinNames[slot]] = kept.pins[slot];
      if (window.left[slot]) json["left"][kPinNames[slot]] = true;
    }
  json["shown"] = std::string(kShownWords[std::size_t(window.shown)]);
  if (window.shown == WindowState::Shown::Moment) json["moment"] = window.moment;
  if (!window.texts.empty()) {
    json["texts"] = window.texts;
    json["text"] = window.text;
  }
  if (!window.screen.empty()) json["screen"] = window.screen;
  for (const auto& [name, part] : window.parts) json["parts"][name] = nlohmann::json::parse(part);
  file.metadata[kWindow] = json.dump();
}

WindowState readWindow(TensorReader& reader, const io::TensorFile& file, const ModelState& now,
                       const data::TextCodec& codec) {
  WindowState window;
  const auto found = file.metadata.find(kWindow);
  if (found == file.metadata.end()) return window;
  const std::string where = reader.where() + ": " + kWindow;
  const nlohmann::json object = io::parseJson(found->second, where);
  io::ObjectReader json(object, where);
  readTexts(json, window);
  readParts(json, window);
  window.screen = json.get<std::string>("screen", {});

  std::vector<Moment> all = readMoments(reader, json.child("models"), now, codec);
  const auto course = json.get<std::int64_t>("course", 0);
  if (course < 0 || course > std::int64_t(all.size()))
    json.throwInvalid("course", "the number of moments of the course");
  if (const nlohmann::json* pins = json.child("pins")) {
    io::ObjectReader each(*pins, where + ".pins");
    for (std::size_t slot = 0; slot < kPinNames.size(); ++slot)
      if (const std::int64_t at = number(each, kPinNames[slot], -1, all.size()); at >= 0)
        window.pins[slot] = all[std::size_t(at)];
    each.refuseUnknown();
  }
  if (const nlohmann::json* left = json.child("left")) {
    io::ObjectReader each(*left, where + ".left");
    for (std::size_t slot = 0; slot < kPinNames.size(); ++slot)
      window.left[slot] = each.get<bool>(kPinNames[slot], false);
    each.refuseUnknown();
  }
  all.resize(std::size_t(course));
  requireOrder(all, now, where);
  window.moments = std::move(all);
  const std::vector<io::Field> shown{
      {"shown", "What of its course is shown",
       io::choice(window.shown, {kShownWords.begin(), kShownWords.end()})}};
  json.readFields(shown);
  window.moment = number(json, "moment", 0, window.moments.size());
  json.refuseUnknown();
  if (!hasWhatIsShown(window)) json.throwInvalid("shown", "a moment or pins that the file has");
  window.weights = weightsOf(now);
  return window;
}

}  // namespace tfm::train
