// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/with_option.h"

#include <CLI/App.hpp>
#include <nlohmann/json.hpp>

#include "app/cli/at_option.h"
#include "app/cli/output.h"
#include "app/cli/read_texts.h"
#include "core/ask/what_if.h"

namespace tfm::cli {
namespace {

constexpr const char* kPlace = "intervention";  // of errors about one

}  // namespace

void addWithOption(CLI::App& options, std::vector<std::string>& with) {
  options
      .add_option("--with", with,
                  "What if? Changes a part of the model for this run, counted from 0: "
                  "decoder.layers.0.self_attention.head.3=0, TARGET=mean, TARGET*2, "
                  "TARGET=from \"other text\"; TARGET may be a head, neuron, block, layer, "
                  "TENSOR[ROW, COL] or WEIGHT[ROW, COL]. Repeatable")
      ->type_name("CHANGE")
      ->allow_extra_args(false);
}

template <class Real>
std::vector<observe::Intervention> putInForce(OpenModel& model,
                                              const std::vector<std::string>& with) {
  std::vector<observe::Intervention> interventions;
  for (const std::string& text : with) {
    interventions.push_back(atOption(
        "--with", [&] { return observe::interventionFromText(text); }, kPlace));
    std::string& target = interventions.back().target;
    target = withTokenIndices(model, "--with", target);
  }
  if (interventions.empty()) return interventions;
  ModelState& state = model.document.state;
  state = atOption("--with", [&] {
    return train::withInterventions<Real>(state, *model.codec, interventions, *model.backend);
  });
  for (const observe::Intervention& one : interventions)
    say("note: in force: " + observe::textOf(one));
  return interventions;
}

template std::vector<observe::Intervention> putInForce<float>(OpenModel&,
                                                              const std::vector<std::string>&);
template std::vector<observe::Intervention> putInForce<double>(OpenModel&,
                                                               const std::vector<std::string>&);

void printWith(nlohmann::ordered_json json, const std::vector<std::string>& with) {
  if (!with.empty()) json["with"] = with;
  printJson(json);
}

void requireInside(const OpenModel& model, const Batch& input,
                   const std::vector<observe::Intervention>& interventions) {
  atOption("--with", [&] {
    train::checkInside(model.document.state.config, input, interventions);
    return true;
  });
}

}  // namespace tfm::cli
