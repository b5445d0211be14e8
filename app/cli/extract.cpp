// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/App.hpp>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/at_option.h"
#include "app/cli/granularity_text.h"
#include "app/cli/guarded_output.h"
#include "app/cli/open_model.h"
#include "app/cli/output.h"
#include "app/cli/output_files.h"
#include "app/cli/unfinished.h"
#include "app/cli/verbs.h"
#include "core/document/extracted.h"
#include "core/matformer/mix_n_match.h"

namespace tfm::cli {
namespace {

struct ExtractArguments {
  std::string file, granularity, out;
  bool json = false;
};

int runExtract(const ExtractArguments& o) {
  requireOtherFiles({{"FILE", o.file}}, {{"--out", o.out}});
  GuardedOutput out(o.out);
  requireReplaceable(out);
  const train::Document whole = openSaved(o.file);
  const ModelConfig& config = whole.state.config;
  const auto granularities = matformer::granularities(config, whole.train.nesting);
  const Submodel submodel = atOption("--granularity", [&] {
    return matformer::submodelNamed(config, granularities, o.granularity);
  });
  const train::Document part = train::extracted(whole, submodel);
  out.save(part);
  const std::int64_t before = whole.state.layout.total, after = part.state.layout.total;
  if (o.json) {
    printJson({{"granularity", matformer::nameOf(granularities, submodel)},
               {"widths", submodel.widths},
               {"heads", submodel.heads},
               {"parameters_before", before},
               {"parameters", after},
               {"file", o.out}});
    return kDone;
  }
  std::cout << "extracted   " << matformer::nameOf(granularities, submodel) << '\n'
            << "parameters  " << withCommas(after) << " of " << withCommas(before) << '\n'
            << "saved       " << o.out << '\n';
  return kDone;
}

}  // namespace

Action prepareExtract(CLI::App& app) {
  const auto o = std::make_shared<ExtractArguments>();
  addFileArgument(app, o->file);
  addGranularityOption(app, o->granularity)->required();
  app.add_option("--out", o->out, "Where to save the submodel (.safetensors)")
      ->type_name("FILE")
      ->required();
  addJsonFlag(app, o->json);
  return [o] { return runExtract(*o); };
}

}  // namespace tfm::cli
