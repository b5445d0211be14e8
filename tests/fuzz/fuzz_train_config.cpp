// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include "core/base/check.h"
#include "core/train/train_config.h"
#include "tests/fuzz/fuzz_target.h"

using namespace tfm::train;

std::vector<std::string> tfm::fuzz::seeds() {
  TrainConfig busy;
  busy.schedule = notebookSchedule();
  busy.optimizer.kind = OptimizerKind::AdamW;
  busy.seed = ~std::uint64_t{0};
  TrainConfig cosine;
  cosine.schedule.kind = ScheduleKind::WarmupCosine;
  return {toJson(TrainConfig{}), toJson(busy), toJson(cosine), "{}"};
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return tfm::fuzz::outcomeOf([&] {
    const TrainConfig config = trainConfigFromJson(tfm::fuzz::asText(data, size), "input");
    tfm::check(trainConfigFromJson(toJson(config), "again") == config,
               "a training config survives a round trip");
    for (const std::int64_t step : {0, 1, 150, 1'000'000'000})
      tfm::check(std::isfinite(learningRate(config.schedule, step)), "every rate is a number");
  });
}
