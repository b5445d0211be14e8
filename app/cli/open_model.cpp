// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/open_model.h"

#include <CLI/App.hpp>
#include <utility>

#include "app/cli/output.h"
#include "core/backend/registry.h"
#include "core/base/in_file.h"
#include "core/train/diverged.h"
#include "core/train/fit_task.h"

namespace tfm::cli {

namespace {

void sayIfBroken(const std::string& file, const train::Document& document) {
  if (const std::string note = train::nonFiniteWarning(document.state); !note.empty())
    say("note: " + file + " is broken: " + note);
}

OpenModel opened(train::Document document) {
  OpenModel model;
  if (document.task) model.task = train::makeTask(document);
  model.codec = model.task ? model.task : document.codec;
  train::checkFit(document.state.config, *model.codec);
  model.framing = train::framingFor(document.state.config, *model.codec);
  setSameNumbers(document.train.same_numbers);
  model.backend = makeBackend<float>();
  model.document = std::move(document);
  return model;
}

}  // namespace

train::Document openSaved(const std::string& file) {
  train::Document document = train::openDocument(file);
  sayIfBroken(file, document);
  if (document.missing)
    say("note: " + file + " has no task now: " + document.missing->problem.what());
  return document;
}

OpenModel openModel(const std::string& file) { return opened(openSaved(file)); }

OpenModel openWithTask(const std::string& file) {
  train::Document document = train::openDocument(file);
  inFile(file, [&] { train::requireTask(document); });
  sayIfBroken(file, document);
  return opened(std::move(document));
}

void addFileArgument(CLI::App& options, std::string& file) {
  options.add_option("file", file, "A saved model")->type_name("FILE")->required();
}

}  // namespace tfm::cli
