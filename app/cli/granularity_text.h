// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/data/text_codec.h"
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

/// [{"name": "S", "loss": ..., "accuracy": ...}, ...], of a task of this form: see
/// train::accuracyName().
nlohmann::ordered_json scoresJson(const std::vector<train::GranularityScore>& scores,
                                  data::TaskForm form);

}  // namespace tfm::cli
