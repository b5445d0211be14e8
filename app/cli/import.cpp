// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/App.hpp>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/guarded_output.h"
#include "app/cli/output.h"
#include "app/cli/verbs.h"
#include "core/train/imported.h"

namespace tfm::cli {
namespace {

struct Options {
  std::string folder, out;
  bool json = false;
};

int run(const Options& o) {
  GuardedOutput out(o.out);
  const train::Document document = train::importedEncoder(o.folder);
  out.save(document);
  const std::int64_t parameters = document.state.layout.total;
  const std::int64_t tokens = document.codec->sourceVocabulary().size();
  if (o.json) {
    printJson({{"parameters", parameters}, {"vocabulary", tokens}, {"file", o.out}});
    return kDone;
  }
  std::cout << "imported    " << document.codec->name() << ", without a task\n"
            << "parameters  " << withCommas(parameters) << '\n'
            << "vocabulary  " << withCommas(tokens) << " tokens\n"
            << "saved       " << o.out << '\n';
  return kDone;
}

}  // namespace

Action prepareImport(CLI::App& app) {
  const auto o = std::make_shared<Options>();
  app.add_option("folder", o->folder,
                 "The folder of a BERT or Funnel: config.json, model.safetensors, vocab.txt")
      ->type_name("FOLDER")
      ->required();
  app.add_option("--out", o->out, "Where to save the model (.safetensors)")
      ->type_name("FILE")
      ->required();
  addJsonFlag(app, o->json);
  app.footer(
      "The model has no task and gives no answers: info, probe, expand and export can use it.\n"
      "To train a classifier on its features: train --encoder FOLDER.");
  return [o] { return run(*o); };
}

}  // namespace tfm::cli
