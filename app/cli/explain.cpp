// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/App.hpp>
#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/at_option.h"
#include "app/cli/open_model.h"
#include "app/cli/output.h"
#include "app/cli/verbs.h"
#include "app/cli/with_option.h"
#include "core/backend/registry.h"
#include "core/base/error.h"
#include "core/model/batch_inputs.h"
#include "core/model/build_program.h"
#include "core/observe/explainer.h"
#include "core/train/answering.h"

namespace tfm::cli {
namespace {

using Json = nlohmann::ordered_json;
using observe::ExplainedNumber;
using observe::NumberPlace;

struct Options {
  std::string file, input, number;
  std::vector<std::string> with;
  bool gradient = false, json = false;
  int depth = 1;
  int terms = 8;
};

/// A model that has read one text, in double precision.
class ExplainedRun {
 public:
  ExplainedRun(const OpenModel& model, const train::ProbeInput& input, bool gradients)
      : input_(input),
        backend_(makeBackend<double>()),
        executor_(program(model.document.state.config, input.batch, gradients), *backend_,
                  gradients),
        parameters_(model.document.state.parameters.begin(),
                    model.document.state.parameters.end()) {
    const RunPosition position{0, std::uint64_t(model.document.state.step), 0};
    setInputs(executor_, input.batch, 0);
    executor_.forward(parameters_.data(), position);
    const TensorId loss = executor_.program().find(names::kLoss);
    AlignedVector<double> gradient(gradients ? parameters_.size() : 0, 0.0);
    if (gradients) executor_.backward(parameters_.data(), gradient.data(), {loss}, position);
    explainer_ = std::make_unique<observe::Explainer<double>>(executor_, parameters_, position,
                                                              gradients ? loss : kNoTensor);
  }

  const Program& program() const { return executor_.program(); }
  observe::Explainer<double>& explainer() { return *explainer_; }

  /// The token that a number is the id of, in quotes; "" for any other number.
  std::string token(const NumberPlace& place) const {
    const std::string& name = program().tensors[std::size_t(place.tensor)].name;
    const auto quoted = [&](const std::vector<std::string>& labels) {
      return std::size_t(place.row) < labels.size() ? " '" + labels[std::size_t(place.row)] + "'"
                                                    : std::string();
    };
    if (name == names::kSourceIds) return quoted(input_.source_labels);
    if (name == names::kTargetIds) return quoted(input_.decoder_labels);
    return {};
  }

 private:
  static std::shared_ptr<const Program> program(const ModelConfig& config, const Batch& batch,
                                                bool loss) {
    return std::make_shared<const Program>(
        buildProgram(config, {batch.size, batch.source_length, batch.target_length},
                     {.loss = loss, .scores = true}));
  }

  const train::ProbeInput& input_;
  std::unique_ptr<Backend<double>> backend_;
  Executor<double> executor_;
  AlignedVector<double> parameters_;
  std::unique_ptr<observe::Explainer<double>> explainer_;
};

const char* ruleName(Explanation::Rule rule) {
  switch (rule) {
    case Explanation::Rule::Sum:
      return "sum";
    case Explanation::Rule::Share:
      return "share of the first";
    case Explanation::Rule::Largest:
      return "largest";
    case Explanation::Rule::Smallest:
      break;
  }
  return "smallest";
}

/// The number of a part's terms to show; they are sorted by size.
std::size_t shownTerms(const observe::StepPart& part, const Options& o) {
  return std::min(part.terms.size(), std::size_t(o.terms));
}

Json jsonOf(ExplainedRun& run, const NumberPlace& place, const Options& o, int depth) {
  const ExplainedNumber number = run.explainer().explain(place);
  Json json{{"number", nameOf(run.program(), place)}, {"value", number.value}};
  if (const std::string token = run.token(place); !token.empty())
    json["token"] = token.substr(2, token.size() - 3);
  if (depth == 0) return json;
  for (const observe::StepPart& part : number.parts) {
    Json terms = Json::array();
    for (std::size_t i = 0; i < shownTerms(part, o); ++i) {
      Json sources = Json::array();
      for (const NumberPlace& source : part.terms[i].sources)
        sources.push_back(jsonOf(run, source, o, depth - 1));
      terms.push_back({{"amount", part.terms[i].amount}, {"from", sources}});
    }
    Json step{{"step", part.step->path},
              {"op", part.step->op->name},
              {"formula", part.explanation.formula},
              {"rule", ruleName(part.explanation.rule)}};
    if (part.explanation.constant != 0.0) step["constant"] = part.explanation.constant;
    if (!part.explanation.function.empty()) step["function"] = part.explanation.function;
    step["terms"] = std::move(terms);
    step["more_terms"] = part.terms.size() - shownTerms(part, o);
    json["made_of"].push_back(std::move(step));
  }
  return json;
}

void print(ExplainedRun& run, const NumberPlace& place, const Options& o, int depth,
           const std::string& margin) {
  const ExplainedNumber number = run.explainer().explain(place);
  std::cout << margin << nameOf(run.program(), place) << " = " << shortNumber(number.value, 6)
            << run.token(place) << '\n';
  if (depth == 0) return;
  for (const observe::StepPart& part : number.parts) {
    const Explanation& e = part.explanation;
    std::cout << margin << "  " << part.step->path << ", " << part.step->op->name << ": "
              << e.formula << '\n';
    if (!e.function.empty()) std::cout << margin << "  f = " << e.function << '\n';
    if (e.constant != 0.0)
      std::cout << margin << "  " << shortNumber(e.constant, 6) << "  constant\n";
    double rest = 0.0;
    for (std::size_t i = 0; i < part.terms.size(); ++i) {
      const observe::PlacedTerm& term = part.terms[i];
      if (i >= shownTerms(part, o)) {
        rest += term.amount;
        continue;
      }
      std::cout << margin << "  " << shortNumber(term.amount, 6) << "  from";
      for (const NumberPlace& source : term.sources)
        std::cout << "  " << nameOf(run.program(), source) << " ("
                  << shortNumber(run.explainer().value(source), 4) << run.token(source) << ')';
      std::cout << '\n';
      if (depth > 1)
        for (const NumberPlace& source : term.sources)
          print(run, source, o, depth - 1, margin + "    ");
    }
    if (const std::size_t more = part.terms.size() - shownTerms(part, o); more > 0)
      std::cout << margin << "  " << shortNumber(rest, 6) << "  from " << more << " more terms\n";
  }
}

int run(const Options& o) {
  OpenModel model = openModel(o.file);
  const auto interventions = putInForce(model, o.with);
  const train::ProbeInput input = atOption("--input", [&] {
    return train::probeInput(model.document.state, *model.codec, model.framing, o.input,
                             *model.backend, train::ReadAnswer::Right);
  });
  requireInside(model, input.batch, interventions);
  if (o.gradient && input.batch.labels.empty())
    throw Error("this model has no loss on a text", "--gradient",
                "Its output is compared with features");
  ExplainedRun explained(model, input, o.gradient);
  NumberPlace place =
      atOption("--number", [&] { return observe::placeNamed(explained.program(), o.number); });
  place.gradient = o.gradient;
  atOption("--number", [&] { return explained.explainer().explain(place); });
  if (o.json)
    printWith(jsonOf(explained, place, o, o.depth), o.with);
  else
    print(explained, place, o, o.depth, "");
  return kDone;
}

}  // namespace

Action prepareExplain(CLI::App& app) {
  const auto o = std::make_shared<Options>();
  addFileArgument(app, o->file);
  app.add_option("--input", o->input, "The text the model reads")->type_name("TEXT")->required();
  app.add_option("--number", o->number,
                 "The number to explain: a tensor and its row and column, counted from 0, such as "
                 "\"output[2, 5]\"; of an attention map \"NAME[HEAD, QUERY, KEY]\"")
      ->type_name("NUMBER")
      ->required();
  app.add_flag("--gradient", o->gradient,
               "Explain the derivative of the loss by it, on the right answer where it is known, "
               "otherwise on the model's own");
  app.add_option("--depth", o->depth, "Levels to follow back")
      ->type_name("N")
      ->check(CLI::Range(1, 50))
      ->capture_default_str();
  app.add_option("--terms", o->terms, "Terms to show at each level, the largest first")
      ->type_name("N")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  addWithOption(app, o->with);
  addJsonFlag(app, o->json);
  app.footer(
      "Numbers are computed in double precision. probe lists the tensors of a model.\n"
      "With --json: number, value, made_of [{step, op, formula, rule, constant, function, terms\n"
      "[{amount, from}], more_terms}].");
  return [o] { return run(*o); };
}

}  // namespace tfm::cli
