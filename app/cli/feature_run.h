// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "app/cli/stop_signals.h"
#include "core/data/features/text_features.h"
#include "core/data/task_config.h"

namespace tfm::cli {

/// The result of filling the feature cache.
struct FeatureRun {
  data::TextFeatures::Prepared prepared;
  double seconds = 0.0;
  int signal = 0;  ///< the signal that stopped it; 0: none
};

/// TextFeatures::prepare() with progress on a terminal; stops on a signal.
FeatureRun fillFeatureCache(data::TextFeatures& features, std::span<const data::Ids> texts,
                            int threads, const StopSignals& signals);

/// The same for the stored examples of a task with a frozen encoder.
FeatureRun fillFeatureCache(const data::TaskConfig& task, int threads, const StopSignals& signals);

}  // namespace tfm::cli
