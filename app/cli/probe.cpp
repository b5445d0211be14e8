// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/App.hpp>
#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/cli/at_option.h"
#include "app/cli/open_model.h"
#include "app/cli/output.h"
#include "app/cli/output_files.h"
#include "app/cli/verbs.h"
#include "app/cli/with_option.h"
#include "core/base/error.h"
#include "core/io/message_text.h"
#include "core/io/npz.h"
#include "core/observe/probe.h"
#include "core/observe/selector.h"
#include "core/observe/tensor_shape.h"
#include "core/tensor/shape.h"
#include "core/train/answering.h"

namespace tfm::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::string file, input, select, out;
  std::vector<std::string> with;
  bool json = false;
};

constexpr std::size_t kMaxShown = 400;  // bytes of names in a message

Error nothingSelected(const std::string& pattern, const Program& program) {
  std::string names;
  for (const TensorInfo& tensor : program.tensors)
    if (tensor.role == Role::Activation) names += (names.empty() ? "" : ", ") + tensor.name;
  return {"no activation of the model matches '" + pattern + "'", "--select",
          "* matches any characters. The activations are " + io::shortened(names, kMaxShown)};
}

/// A pattern without a match is misspelt, even if others match.
void requireAllSelect(const std::string& select, const observe::Observations& seen,
                      const Program& program) {
  std::istringstream patterns(select + ",");
  for (std::string pattern; std::getline(patterns, pattern, ',');)
    if (std::none_of(seen.begin(), seen.end(),
                     [&](const auto& tensor) { return observe::selects(pattern, tensor.first); }))
      throw nothingSelected(pattern, program);
}

int run(const Options& o) {
  requireOtherFiles({{"FILE", o.file}}, {{"--out", o.out}});
  OpenModel model = openModel(o.file);
  const auto interventions = putInForce(model, o.with);
  const ModelState& state = model.document.state;
  const train::ProbeInput input = atOption("--input", [&] {
    return train::probeInput(state, *model.codec, model.framing, o.input, *model.backend);
  });
  requireInside(model, input.batch, interventions);
  observe::Probe probe(state.config, input.batch, *model.backend);
  const observe::Observations seen =
      probe.run(state.parameters, input.batch, o.select, std::uint64_t(state.step));
  requireAllSelect(o.select, seen, probe.program());

  io::NamedTensors tensors;
  Json list = Json::array();
  for (const auto& [name, tensor] : seen) {
    const std::vector<std::int64_t> shape = observe::tensorShape(probe.program(), name);
    tensors[name] = io::makeTensor(shape, tensor.values);
    list.push_back({{"name", name}, {"shape", shape}});
  }
  io::writeNpz(o.out, tensors);
  if (o.json) {
    Json json{{"tensors", list},
              {"answer", input.answer},
              {"source_tokens", input.source_labels},
              {"decoder_tokens", input.decoder_labels},
              {"file", o.out}};
    printWith(std::move(json), o.with);
    return kDone;
  }
  for (const Json& row : list)
    std::cout << row["name"].get<std::string>() << "  "
              << sizeText(row["shape"].get<std::vector<std::int64_t>>()) << '\n';
  std::cout << "saved " << o.out << '\n';
  return kDone;
}

}  // namespace

Action prepareProbe(CLI::App& app) {
  const auto o = std::make_shared<Options>();
  addFileArgument(app, o->file);
  app.add_option("--input", o->input, "The text the model reads")->type_name("TEXT")->required();
  app.add_option("--select", o->select,
                 "Names of activations, with * and ?, separated by commas: *.probabilities are the "
                 "attention maps")
      ->type_name("PATTERN")
      ->required();
  app.add_option("--out", o->out, "Where to save them (.npz)")->type_name("FILE")->required();
  addWithOption(app, o->with);
  addJsonFlag(app, o->json);
  app.footer(
      "Scores and probabilities of an attention are heads x queries x keys, all else positions x\n"
      "components. With --json: tensors [{name, shape}], answer, source_tokens, decoder_tokens,\n"
      "file.");
  return [o] { return run(*o); };
}

}  // namespace tfm::cli
