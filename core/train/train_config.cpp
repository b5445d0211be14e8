// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/train_config.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/io/json_guard.h"

namespace tfm::train {
namespace {

constexpr std::size_t kMaxGrowths = 1000;
constexpr std::int64_t kMaxSteps = 1'000'000'000;

/// As in a plan, with the step: {"step": 500, "kind": "feed_forward", "size": 16}.
nlohmann::ordered_json growthsJson(const std::vector<ScheduledGrowth>& growths) {
  auto list = nlohmann::ordered_json::array();
  for (const ScheduledGrowth& scheduled : growths) {
    const std::string plan = expand::toJson(expand::Plan{scheduled.growth});
    nlohmann::ordered_json entry{{"step", scheduled.step}};
    entry.update(nlohmann::ordered_json::parse(plan).front());
    list.push_back(std::move(entry));
  }
  return list;
}

std::vector<ScheduledGrowth> readGrowths(io::ObjectReader& reader, const std::string& where) {
  const nlohmann::json* list = reader.child("growths");
  if (list == nullptr) return {};
  if (!list->is_array() || list->size() > kMaxGrowths)
    reader.throwInvalid("growths", "a list of expansions with their steps");
  std::vector<ScheduledGrowth> growths;
  for (nlohmann::json entry : *list) {
    const auto step = entry.is_object() ? entry.find("step") : entry.end();
    if (!entry.is_object() || step == entry.end() || !step->is_number_unsigned() ||
        step->get<std::uint64_t>() > std::uint64_t(kMaxSteps))
      reader.throwInvalid("growths", R"([{"step": 500, "kind": "feed_forward", "size": 16}, ...])");
    const auto at = step->get<std::int64_t>();
    entry.erase("step");
    // Older documents did not need allow_inexact.
    if (entry.value("layer_method", nlohmann::json()) == "hand_over")
      entry.emplace("allow_inexact", true);
    const std::string place = where + ", growths, " + std::to_string(growths.size());
    growths.push_back({at, expand::planFromJson(entry.dump(), place).front()});
  }
  return growths;
}

}  // namespace

expand::Plan growthsAt(const TrainConfig& config, std::int64_t step) {
  expand::Plan plan;
  for (const ScheduledGrowth& scheduled : config.growths)
    if (scheduled.step == step) plan.push_back(scheduled.growth);
  return plan;
}

void useDefaultRates(TrainConfig& config, const ModelConfig& model) {
  const bool sgd = config.optimizer.kind == OptimizerKind::Sgd;
  config.schedule.learning_rate = sgd ? 0.5 : std::min(1e-2, 0.1 / double(model.hidden));
  config.clip_norm = sgd ? 1.0 : 0.0;
  config.optimizer.weight_decay = usualWeightDecay(config.optimizer.kind);
}

double usualWeightDecay(OptimizerKind kind) { return kind == OptimizerKind::AdamW ? 0.01 : 0.0; }

std::vector<io::Field> trainFields(TrainConfig& c) {
  using io::choice;
  using io::IntegerSlot;
  using io::RealSlot;
  constexpr std::string_view kAdam = "Only optimizers adam and adamw have it";
  constexpr std::string_view kWarmup = "Choose schedule warmup_cosine or warmup_exponential";
  constexpr std::string_view kDecay = "Only schedule warmup_exponential decays in steps";
  const auto sgd = [&c] { return c.optimizer.kind == OptimizerKind::Sgd; };
  const auto adam = [&c] { return c.optimizer.kind != OptimizerKind::Sgd; };
  const auto scheduled = [&c](ScheduleKind kind) {
    return [&c, kind] { return c.schedule.kind == kind; };
  };
  const auto warms_up = [&c] { return c.schedule.kind != ScheduleKind::Constant; };
  const auto decays = scheduled(ScheduleKind::WarmupExponential);
  return {
      {"optimizer", "Optimization algorithm", choice(c.optimizer.kind, {"sgd", "adam", "adamw"})},
      {"learning_rate", "Learning rate, or its peak in a schedule",
       RealSlot{&c.schedule.learning_rate, 0.0, 1e3}},
      {"momentum", "SGD: share of the previous step that is kept",
       RealSlot{&c.optimizer.momentum, 0.0, 1.0}, sgd, "Only optimizer sgd has a momentum"},
      {"beta1", "Adam: decay of the first moment", RealSlot{&c.optimizer.beta1, 0.0, 1.0}, adam,
       kAdam},
      {"beta2", "Adam: decay of the second moment", RealSlot{&c.optimizer.beta2, 0.0, 1.0}, adam,
       kAdam},
      {"eps", "Adam: added to the root of the second moment",
       RealSlot{&c.optimizer.eps, 1e-30, 1.0}, adam, kAdam},
      {"weight_decay", "How much weights shrink, per unit of learning rate",
       RealSlot{&c.optimizer.weight_decay, 0.0, 10.0}},
      {"schedule", "How the learning rate changes",
       choice(c.schedule.kind, {"constant", "warmup_cosine", "warmup_exponential"})},
      {"start_rate", "Learning rate at step 0 of a warm-up",
       RealSlot{&c.schedule.start_rate, 0.0, 1e3}, warms_up, kWarmup},
      {"end_rate", "Learning rate at the end of a schedule",
       RealSlot{&c.schedule.end_rate, 0.0, 1e3}, warms_up, kWarmup},
      {"warmup_steps", "Steps until the peak", IntegerSlot{&c.schedule.warmup_steps, 0, kMaxSteps},
       warms_up, kWarmup},
      {"total_steps", "Step at which the cosine ends",
       IntegerSlot{&c.schedule.total_steps, 1, kMaxSteps}, scheduled(ScheduleKind::WarmupCosine),
       "Only schedule warmup_cosine has a last step"},
      {"decay_begin", "Steps at the peak", IntegerSlot{&c.schedule.decay_begin, 0, kMaxSteps},
       decays, kDecay},
      {"decay_steps", "Steps for one decay", IntegerSlot{&c.schedule.decay_steps, 1, kMaxSteps},
       decays, kDecay},
      {"decay_rate", "Factor of one decay", RealSlot{&c.schedule.decay_rate, 1e-6, 1.0}, decays,
       kDecay},
      {"clip_norm", "Maximum norm of the gradient; 0 for no clipping",
       RealSlot{&c.clip_norm, 0.0, 1e9}},
      {"batch_size", "Examples per step", IntegerSlot{&c.batch_size, 1, 1'000'000}},
      {"same_numbers", "The same numbers on every machine, more slowly",
       io::SwitchSlot{&c.same_numbers}},
      {"evaluate_every", "Steps between evaluations; 0 for never",
       IntegerSlot{&c.evaluate_every, 0, kMaxSteps}},
      {"evaluation_size", "Held-out examples per evaluation",
       IntegerSlot{&c.evaluation_size, 1, 1'000'000}},
      {"stop_steps", "Training stops after this step; 0 for never",
       IntegerSlot{&c.stop.steps, 0, kMaxSteps}},
      {"stop_loss", "Training stops at this evaluation loss; 0 for never",
       RealSlot{&c.stop.loss, 0.0, 1e9}},
      {"stop_accuracy", "Training stops at this evaluation accuracy; 0 for never",
       RealSlot{&c.stop.accuracy, 0.0, 1.0, true}},
  };
}

void validate(const TrainConfig& config) {
  TrainConfig copy = config;
  io::checkFields(trainFields(copy), "training config");
  for (const ScheduledGrowth& scheduled : config.growths)
    if (scheduled.step < 0 || scheduled.step > kMaxSteps)
      throw Error("a growth is scheduled for step " + std::to_string(scheduled.step),
                  "training config", "Allowed: 0 to " + std::to_string(kMaxSteps));
  matformer::validate(config.nesting);
}

std::string toJson(const TrainConfig& config) {
  nlohmann::ordered_json json;
  TrainConfig copy = config;
  io::writeFields(trainFields(copy), json);
  json["seed"] = config.seed;
  if (!config.same_numbers) json.erase("same_numbers");  // older programs do not know it
  if (!config.growths.empty()) json["growths"] = growthsJson(config.growths);
  if (!config.nesting.widths.empty())
    json["nesting"] = nlohmann::ordered_json::parse(matformer::toJson(config.nesting));
  return json.dump();
}

TrainConfig trainConfigFromJson(std::string_view text, const std::string& where) {
  const nlohmann::json json = io::parseJson(text, where);
  io::ObjectReader reader(json, where);
  TrainConfig config;
  reader.readFields(trainFields(config));
  if (const nlohmann::json* seed = reader.child("seed")) {
    if (!seed->is_number_unsigned()) reader.throwInvalid("seed", "a whole number from 0");
    config.seed = seed->get<std::uint64_t>();
  }
  config.growths = readGrowths(reader, where);
  if (const nlohmann::json* nesting = reader.child("nesting"))
    config.nesting = matformer::nestingFromJson(nesting->dump(), where + ", nesting");
  reader.refuseUnknown();
  validate(config);
  return config;
}

}  // namespace tfm::train
