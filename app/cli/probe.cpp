// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/App.hpp>
#include <algorithm>
#include <iostream>
#include <memory>
#include <sstream>

#include "app/cli/open_model.h"
#include "app/cli/output.h"
#include "app/cli/output_files.h"
#include "app/cli/read_texts.h"
#include "app/cli/result_rows.h"
#include "app/cli/verbs.h"
#include "app/cli/with_option.h"
#include "core/ask/probe_batch.h"
#include "core/base/error.h"
#include "core/io/message_text.h"
#include "core/io/npz.h"
#include "core/observe/probe.h"
#include "core/observe/selector.h"
#include "core/observe/tensor_shape.h"
#include "core/tensor/shape.h"

namespace tfm::cli {
namespace {

struct ProbeArguments {
  std::string file, select, out;
  std::vector<std::string> inputs, answers, with;
  bool json = false;
};

struct ProbedTensor {
  std::string name;
  std::vector<std::int64_t> shape;
};

const ResultRows<ProbedTensor>& tensorRows() {
  static const ResultRows<ProbedTensor> rows{row<ProbedTensor>("name", &ProbedTensor::name),
                                             row<ProbedTensor>("shape", &ProbedTensor::shape)};
  return rows;
}

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

int runProbe(const ProbeArguments& o) {
  requireOtherFiles({{"FILE", o.file}}, {{"--out", o.out, kArrayEndings}});
  OpenModel model = openModel(o.file);
  const std::vector<train::ProbeInput> texts = readTexts(model, o.inputs, o.answers);
  const auto interventions = putInForce<float>(model, o.with);
  const ModelState& state = model.document.state;
  const Batch batch = train::joined(texts).batch;
  requireInside(model, batch, interventions);
  observe::Probe probe(state.config, batch, *model.backend);
  const observe::Observations seen =
      probe.run(state.parameters, batch, o.select, std::uint64_t(state.step));
  requireAllSelect(o.select, seen, probe.program());

  io::NamedTensors tensors;
  std::vector<ProbedTensor> list;
  for (const auto& [name, tensor] : seen) {
    list.push_back({name, observe::tensorShape(probe.program(), name)});
    tensors[name] = io::makeTensor(list.back().shape, tensor.values);
  }
  io::writeNpz(o.out, tensors);
  if (o.json) {
    Json json{{"tensors", Json::array()}};
    for (const ProbedTensor& tensor : list) json["tensors"].push_back(jsonOf(tensorRows(), tensor));
    if (texts.size() == 1) {
      addText(json, texts.front());
    } else {
      json["texts"] = jsonOfTexts(texts);
    }
    json["file"] = o.out;
    printWith(std::move(json), o.with);
    return kDone;
  }
  for (const ProbedTensor& tensor : list)
    std::cout << tensor.name << "  " << sizeText(tensor.shape) << '\n';
  std::cout << "saved " << o.out << '\n';
  return kDone;
}

}  // namespace

Action prepareProbe(CLI::App& app) {
  const auto o = std::make_shared<ProbeArguments>();
  addFileArgument(app, o->file);
  addInputOption(app, o->inputs);
  addAnswerOption(app, o->answers);
  app.add_option("--select", o->select,
                 "Names of activations, with * and ?, separated by commas: *.probabilities are the "
                 "attention maps")
      ->type_name("PATTERN")
      ->required();
  app.add_option("--out", o->out, "Where to save them (.npz)")->type_name("FILE")->required();
  addWithOption(app, o->with);
  addJsonFlag(app, o->json);
  app.footer(
      std::string(kAnswerRule) +
      paragraph("Scores and probabilities of an attention are heads x queries x keys, all else "
                "positions x components; of several texts, these come first: texts x heads x "
                "queries x keys. With --json: tensors [{" +
                membersOf(tensorRows()) + "}], " + membersOfText() +
                ", file; of several texts, texts [{" + membersOfTexts() +
                "}] instead of answer, tokens and pads. A model that pools reads a text with pads "
                "as a training batch of this text alone has them."));
  return [o] { return runProbe(*o); };
}

}  // namespace tfm::cli
