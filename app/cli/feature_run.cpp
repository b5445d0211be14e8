// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/feature_run.h"

#include <chrono>

#include "app/cli/output.h"
#include "core/data/features/batch_features.h"
#include "core/data/task_table.h"

namespace tfm::cli {

FeatureRun fillFeatureCache(data::TextFeatures& features, std::span<const data::Ids> texts,
                            int threads, const StopSignals& signals) {
  const auto begin = std::chrono::steady_clock::now();
  FeatureRun run;
  run.prepared = features.prepare(texts, threads, [&](std::int64_t done, std::int64_t all) {
    showProgress("features of " + withCommas(done) + " of " + withCommas(all) + " tokens");
    run.signal = signals.waitFor(std::chrono::milliseconds(0)).value_or(0);
    return run.signal == 0;
  });
  showProgress({});
  if (!run.prepared.damage.empty())
    say("note: " + run.prepared.file.string() + " was damaged: " + run.prepared.damage +
        "; it is computed again");
  run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return run;
}

FeatureRun fillFeatureCache(const data::TaskConfig& task, int threads, const StopSignals& signals) {
  if (task.encoder_path.empty()) return {};
  const auto made = data::makeTask(task);
  data::TextFeatures* features = made->features();
  if (features == nullptr) return {};
  return fillFeatureCache(*features, data::storedQuestions(*made), threads, signals);
}

}  // namespace tfm::cli
