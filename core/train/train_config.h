// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/expand/growth.h"
#include "core/io/fields.h"
#include "core/matformer/nesting.h"
#include "core/model/model_config.h"

namespace tfm::train {

enum class OptimizerKind { Sgd, Adam, AdamW };

/// Options of an optimizer besides the learning rate.
struct OptimizerConfig {
  OptimizerKind kind = OptimizerKind::Adam;
  double momentum = 0.0;  ///< sgd
  double beta1 = 0.9;     ///< adam, adamw
  double beta2 = 0.999;
  double eps = 1e-8;
  double weight_decay = 0.0;  ///< adamw: decoupled; otherwise added to the gradient
  bool operator==(const OptimizerConfig&) const = default;
};

enum class ScheduleKind { Constant, WarmupCosine, WarmupExponential };

/// The learning rate schedule. Steps count from 0.
///   Constant: learning_rate.
///   WarmupCosine: rises linearly from start_rate to learning_rate over warmup_steps, then falls as
///     a half cosine to end_rate at total_steps (Loshchilov and Hutter 2017).
///   WarmupExponential: optax.warmup_exponential_decay_schedule: rises from start_rate to
///     learning_rate over warmup_steps, is held for decay_begin steps, then multiplied by
///     decay_rate every decay_steps, not below end_rate.
struct ScheduleConfig {
  ScheduleKind kind = ScheduleKind::Constant;
  double learning_rate = 0.01;
  double start_rate = 0.0;
  double end_rate = 0.0;
  std::int64_t warmup_steps = 100;
  std::int64_t total_steps = 4000;
  std::int64_t decay_begin = 0;
  std::int64_t decay_steps = 200;
  double decay_rate = 0.5;
  bool operator==(const ScheduleConfig&) const = default;
};

/// The learning rate of a step.
double learningRate(const ScheduleConfig& schedule, std::int64_t step);

/// The schedule in the rot13 notebook. It fails: the rate decays before the letters are learned.
/// (The notebook works because a bug keeps its step counter at 0.)
ScheduleConfig notebookSchedule();

/// When training stops; 0 disables a rule.
struct StopRules {
  std::int64_t steps = 0;
  double loss = 0.0;      ///< evaluation loss at or below
  double accuracy = 0.0;  ///< evaluation accuracy at or above
  bool operator==(const StopRules&) const = default;
};

/// An expansion during training.
struct ScheduledGrowth {
  std::int64_t step = 0;  ///< steps done before it
  expand::Growth growth;
  bool operator==(const ScheduledGrowth&) const = default;
};

/// How a model is trained. All but the seed may change during training.
struct TrainConfig {
  OptimizerConfig optimizer;
  ScheduleConfig schedule;
  double clip_norm = 0.0;  ///< maximum norm of the gradient; 0: no clipping
  std::int64_t batch_size = 50;
  std::uint64_t seed = 0;
  bool same_numbers = false;           ///< see setSameNumbers()
  std::int64_t evaluate_every = 100;   ///< steps; 0: never
  std::int64_t evaluation_size = 200;  ///< held-out examples
  StopRules stop;
  /// Those of one step form a plan, in this order.
  std::vector<ScheduledGrowth> growths;
  matformer::Nesting nesting;  ///< submodels trained with the model; by default none
  bool operator==(const TrainConfig&) const = default;
};

/// Sets the default learning rate, clipping and weight decay for the tasks here. SGD: 0.5 and 1, as
/// in the rot13 notebook. Adam: 1e-2, less for wide models, and no clipping (with it two of six
/// seeds had not learned rot13 after 4,000 steps, without it all had after 2,100). AdamW: decay
/// 0.01.
void useDefaultRates(TrainConfig& config, const ModelConfig& model);
/// The one of these.
double usualWeightDecay(OptimizerKind kind);

/// The growths scheduled for a step.
expand::Plan growthsAt(const TrainConfig& config, std::int64_t step);

/// All fields except the seed, the growths and the nesting, in the order of files and forms, bound
/// to `config`.
std::vector<io::Field> trainFields(TrainConfig& config);

/// Throws Error naming the invalid field, its value and what is allowed.
void validate(const TrainConfig& config);

/// One JSON object.
std::string toJson(const TrainConfig& config);
/// Reads what toJson() wrote; missing fields have their default value. `where` names the source in
/// errors.
TrainConfig trainConfigFromJson(std::string_view json, const std::string& where);

}  // namespace tfm::train
