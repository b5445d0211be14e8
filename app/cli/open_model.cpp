// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/open_model.h"

#include <CLI/App.hpp>

#include "app/cli/output.h"
#include "core/backend/registry.h"
#include "core/data/task_table.h"
#include "core/train/diverged.h"
#include "core/train/fit_task.h"

namespace tfm::cli {

train::Document openSaved(const std::string& file) {
  train::Document document = train::openDocument(file);
  if (const std::string note = train::nonFiniteWarning(document.state); !note.empty())
    say("note: " + file + " is broken: " + note);
  return document;
}

OpenModel openModel(const std::string& file) {
  OpenModel model;
  model.document = openSaved(file);
  model.task = data::makeTask(model.document.task);
  train::checkFit(model.document.state.config, *model.task);
  model.framing = train::framingFor(model.document.state.config, *model.task);
  model.backend = makeBackend<float>();
  return model;
}

void addFileArgument(CLI::App& options, std::string& file) {
  options.add_option("file", file, "A saved model")->type_name("FILE")->required();
}

}  // namespace tfm::cli
