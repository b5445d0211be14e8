// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/App.hpp>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/open_model.h"
#include "app/cli/output.h"
#include "app/cli/thread_option.h"
#include "app/cli/verbs.h"
#include "core/train/trainer.h"

namespace tfm::cli {
namespace {

struct Options {
  std::string file;
  std::int64_t examples = 0;  // 0: as many as training measures itself on
  int threads = 1;
  bool json = false;
};

int run(const Options& o) {
  OpenModel model = openModel(o.file);
  train::Document& document = model.document;
  train::Trainer trainer(model.task, std::move(document.state), document.train, o.threads);
  const train::Evaluation e =
      trainer.evaluate(o.examples > 0 ? o.examples : document.train.evaluation_size);
  if (o.json) {
    printJson({{"loss", e.loss},
               {"accuracy", e.accuracy},
               {"position_accuracy", e.position_accuracy},
               {"examples", e.examples},
               {"step", e.step}});
    return kDone;
  }
  std::cout << "loss      " << shortNumber(e.loss) << '\n'
            << "accuracy  " << percent(e.accuracy) << " of " << withCommas(e.examples)
            << " held-out examples answered exactly\n"
            << "          " << percent(e.position_accuracy) << " of their positions right\n";
  return kDone;
}

}  // namespace

Action prepareEval(CLI::App& app) {
  const auto o = std::make_shared<Options>();
  addFileArgument(app, o->file);
  app.add_option("--examples", o->examples, "Held-out examples; else as many as in training")
      ->type_name("N")
      ->check(CLI::Range(1, 10'000'000));
  addThreadsOption(app, o->threads);
  addJsonFlag(app, o->json);
  return [o] { return run(*o); };
}

}  // namespace tfm::cli
