// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/open_model.h"

#include <CLI/App.hpp>

#include "core/backend/cpu/cpu_backend.h"
#include "core/data/task_table.h"
#include "core/train/fit_task.h"

namespace tfm::cli {

OpenModel openModel(const std::string& file) {
  OpenModel model;
  model.document = train::openDocument(file);
  model.task = data::makeTask(model.document.task);
  train::checkFit(model.document.state.config, *model.task);
  model.framing = train::framingFor(model.document.state.config, *model.task);
  model.backend = makeCpuBackend<float>();
  return model;
}

void addFileArgument(CLI::App& options, std::string& file) {
  options.add_option("file", file, "A saved model")->type_name("FILE")->required();
}

}  // namespace tfm::cli
