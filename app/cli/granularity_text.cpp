// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/granularity_text.h"

#include <CLI/App.hpp>
#include <nlohmann/json.hpp>

#include "app/cli/output.h"
#include "core/matformer/nesting.h"
#include "core/train/counted_answers.h"

namespace tfm::cli {

CLI::Option* addGranularityOption(CLI::App& options, std::string& text) {
  return options
      .add_option("--granularity", text,
                  "A submodel: S, M, L, XL, all, or a width for each layer: 8,16,32; with heads: "
                  "8/2,16/4")
      ->type_name("WORD");
}

std::string accuraciesText(const std::vector<train::GranularityScore>& scores) {
  std::string text;
  for (std::size_t i = 0; i < scores.size(); ++i)
    text += (i > 0 ? "  " : "") + matformer::granularityName(i) + " " + percent(scores[i].accuracy);
  return text;
}

nlohmann::ordered_json scoresJson(const std::vector<train::GranularityScore>& scores,
                                  data::TaskForm form) {
  auto list = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < scores.size(); ++i)
    list.push_back({{"name", matformer::granularityName(i)},
                    {"loss", scores[i].loss},
                    {train::accuracyName(form), scores[i].accuracy}});
  return list;
}

}  // namespace tfm::cli
