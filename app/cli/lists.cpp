// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/App.hpp>
#include <iomanip>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/output.h"
#include "app/cli/verbs.h"
#include "core/data/task_table.h"
#include "core/model/build_program.h"
#include "core/model/presets.h"

namespace tfm::cli {
namespace {

using Json = nlohmann::ordered_json;

int listPresets(bool json) {
  Json rows = Json::array();
  for (const Preset& preset : presets()) {
    const std::int64_t total = parameterLayout(preset.config()).total;
    rows.push_back({{"name", preset.name},
                    {"short_name", preset.short_name},
                    {"parameters", total},
                    {"task", preset.task},
                    {"sentence", preset.description}});
    if (json) continue;
    std::string name(preset.name);
    if (!preset.short_name.empty()) name += " or " + std::string(preset.short_name);
    std::cout << std::left << std::setw(40) << name << std::right << std::setw(10)
              << withCommas(total) << " parameters  " << preset.description << '\n';
  }
  if (json) printJson({{"presets", rows}});
  return kDone;
}

int listTasks(bool json) {
  Json rows = Json::array();
  for (const data::TaskRow& task : data::taskTable()) {
    const bool needs_file = task.file == data::TaskFile::Needed;
    rows.push_back(
        {{"name", task.name}, {"needs_file", needs_file}, {"sentence", task.description}});
    if (json) continue;
    std::cout << std::left << std::setw(12) << task.name << ' ' << task.description
              << (needs_file ? " Needs --data." : "") << '\n';
  }
  if (json) printJson({{"tasks", rows}});
  return kDone;
}

Action prepareList(CLI::App& app, int (*list)(bool json)) {
  const auto json = std::make_shared<bool>(false);
  addJsonFlag(app, *json);
  return [json, list] { return list(*json); };
}

}  // namespace

Action preparePresets(CLI::App& app) { return prepareList(app, listPresets); }
Action prepareTasks(CLI::App& app) { return prepareList(app, listTasks); }

}  // namespace tfm::cli
