// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/train/metrics.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace tfm::cli {

/// Declares --granularity: a submodel by name or widths.
CLI::Option* addGranularityOption(CLI::App& options, std::string& text);

/// "S 91.0 %  M 94.5 %  L 95.0 %": the accuracies, smallest submodel first.
std::string accuraciesText(const std::vector<train::GranularityScore>& scores);

/// [{"name": "S", "loss": ..., "accuracy": ...}, ...].
nlohmann::ordered_json scoresJson(const std::vector<train::GranularityScore>& scores);

}  // namespace tfm::cli
