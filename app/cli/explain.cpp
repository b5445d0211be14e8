// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/App.hpp>
#include <algorithm>
#include <cmath>
#include <functional>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/at_option.h"
#include "app/cli/common_options.h"
#include "app/cli/open_model.h"
#include "app/cli/output.h"
#include "app/cli/read_texts.h"
#include "app/cli/verbs.h"
#include "app/cli/with_option.h"
#include "core/base/error.h"
#include "core/observe/explainer.h"
#include "core/observe/formula.h"
#include "core/train/explained_run.h"
#include "core/train/explained_update.h"
#include "core/train/probe_batch.h"
#include "core/train/step_parts.h"
#include "core/train/step_texts.h"

namespace tfm::cli {
namespace {

using Json = nlohmann::ordered_json;
using observe::ExplainedNumber;
using observe::NumberPlace;

struct ExplainArguments {
  std::string file, number;
  std::vector<std::string> inputs, with;
  bool gradient = false, update = false, json = false, latex = false, csv = false;
  int depth = 1;
  int terms = 8;
};

using DoubleRun = train::ExplainedRun<double>;

/// What can be explained: a run of the model, or an update by the optimizer.
struct Explained {
  const Program& program;
  const std::vector<train::ProbeInput>& texts;
  std::function<ExplainedNumber(const NumberPlace&)> explain;
  observe::ValueOf value;
  std::function<std::string(const NumberPlace&)> token;  ///< of an id; "" for other numbers
  std::string loss;  ///< lossSentence(); "" where no loss is explained
};

/// " 'h'" for the id of a token, "" for any other number.
std::string quotedToken(const Explained& run, const NumberPlace& place) {
  const std::string token = run.token(place);
  return token.empty() ? "" : " '" + token + "'";
}

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
std::size_t shownTerms(const observe::StepPart& part, const ExplainArguments& o) {
  return std::min(part.terms.size(), std::size_t(o.terms));
}

Json jsonOf(const Explained& run, const NumberPlace& place, const ExplainArguments& o, int depth) {
  const ExplainedNumber number = run.explain(place);
  Json json{{"number", nameOf(run.program, place)}, {"value", number.value}};
  if (const std::string token = run.token(place); !token.empty()) json["token"] = token;
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
              {"with_names", namedFormula(run.program, number, part)},
              {"rule", ruleName(part.explanation.rule)}};
    if (part.explanation.constant != 0.0) step["constant"] = part.explanation.constant;
    if (!part.explanation.function.empty()) step["function"] = part.explanation.function;
    step["terms"] = std::move(terms);
    step["more_terms"] = part.terms.size() - shownTerms(part, o);
    json["made_of"].push_back(std::move(step));
  }
  return json;
}

void print(const Explained& run, const NumberPlace& place, const ExplainArguments& o, int depth,
           const std::string& margin) {
  const ExplainedNumber number = run.explain(place);
  std::cout << margin << nameOf(run.program, place) << " = " << shortNumber(number.value, 6)
            << quotedToken(run, place) << '\n';
  if (depth == 0) return;
  for (const observe::StepPart& part : number.parts) {
    const Explanation& e = part.explanation;
    std::cout << margin << "  " << part.step->path << ", " << part.step->op->name << ": "
              << e.formula << '\n'
              << margin << "  " << namedFormula(run.program, number, part) << '\n';
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
        std::cout << "  " << nameOf(run.program, source) << " ("
                  << shortNumber(run.value(source), 4) << quotedToken(run, source) << ')';
      std::cout << '\n';
      if (depth > 1)
        for (const NumberPlace& source : term.sources)
          print(run, source, o, depth - 1, margin + "    ");
    }
    if (const std::size_t more = part.terms.size() - shownTerms(part, o); more > 0)
      std::cout << margin << "  " << shortNumber(rest, 6) << "  from " << more << " more terms\n";
  }
}

int show(const Explained& explained, const NumberPlace& place, const ExplainArguments& o) {
  const auto most = std::size_t(o.terms);
  if (o.latex)
    std::cout << latexOf(explained.program, explained.explain(place), explained.value, most);
  else if (o.csv)
    std::cout << csvOf(explained.program, explained.explain(place), explained.value);
  else if (o.json) {
    Json json = jsonOf(explained, place, o, o.depth);
    if (explained.texts.size() > 1) json["texts"] = jsonOfTexts(explained.texts);
    if (!explained.loss.empty()) json["loss"] = explained.loss;
    printWith(std::move(json), o.with);
  } else
    print(explained, place, o, o.depth, "");
  if (explained.loss.empty() || o.json) return kDone;
  if (o.latex || o.csv)
    say("note: " + explained.loss);
  else
    std::cout << explained.loss << '\n';
  return kDone;
}

int runExplain(const ExplainArguments& o) {
  OpenModel model = openModel(o.file);
  const auto interventions = putInForce(model, o.with);
  const auto texts = readTexts(model, o.inputs, train::ReadAnswer::Right);
  train::StepTexts step{texts, train::joined(texts), {}};
  const ModelState& state = model.document.state;
  std::vector<train::WeightedPart> parts;
  std::string loss;
  if (o.gradient || o.update) {
    const matformer::Nesting& nesting = model.document.train.nesting;
    step = atOption(
        o.update ? "--update" : "--gradient",
        [&] {
          return train::stepTexts(state, *model.codec, model.framing, o.inputs, *model.backend);
        },
        "loss");
    parts = train::partsWithWhole(state.config, nesting);
    loss = lossSentence(step, state.config, nesting);
  }
  requireInside(model, step.all.batch, interventions);
  const auto model_run = std::make_unique<DoubleRun>(state, step.all, parts);
  DoubleRun& run = *model_run;
  NumberPlace place =
      atOption("--number", [&] { return observe::placeNamed(run.program(), o.number); });
  place.gradient = o.gradient;
  if (!o.update) {
    observe::Explainer<double>& explainer = run.explainer();
    atOption("--number", [&] { return explainer.explain(place); });
    return show(
        {run.program(), step.texts, [&](const NumberPlace& at) { return explainer.explain(at); },
         [&](const NumberPlace& at) { return explainer.value(at); },
         [&](const NumberPlace& at) { return run.token(at); }, loss},
        place, o);
  }
  const auto update = atOption("--number", [&] {
    return train::ExplainedUpdate(state, model.document.train, run.parameterGradients(),
                                  run.program().tensors[std::size_t(place.tensor)].name);
  });
  return show(
      {update.program(), step.texts, [&](const NumberPlace& at) { return update.explain(at); },
       [&](const NumberPlace& at) { return update.value(at); },
       [](const NumberPlace&) { return std::string(); }, loss},
      update.next(place.row, place.col), o);
}

}  // namespace

Action prepareExplain(CLI::App& app) {
  const auto o = std::make_shared<ExplainArguments>();
  addFileArgument(app, o->file);
  addInputOption(app, o->inputs);
  app.add_option(
         "--number", o->number,
         "The number to explain: a tensor and its row and column, counted from 0, such as "
         "\"output[2, 5]\"; of an attention map \"NAME[HEAD, QUERY, KEY]\"; of several texts "
         "the text comes first, \"output[1, 2, 5]\"")
      ->type_name("NUMBER")
      ->required();
  CLI::Option* gradient =
      app.add_flag("--gradient", o->gradient,
                   "Explain the derivative with respect to it of the loss of a training step on "
                   "these texts alone, without dropout: on the right answer where the task knows "
                   "it, otherwise on the model's own; the answer says which");
  app.add_flag("--update", o->update,
               "Explain how the optimizer would update this weight in a training step on these "
               "texts alone")
      ->excludes(gradient);
  addNumber(app, "--depth", o->depth, 1, 50, "Levels to follow back");
  addNumber(app, "--terms", o->terms, 1, 1'000'000,
            "Terms to show at each level, the largest first");
  CLI::Option* latex = app.add_flag("--latex", o->latex, "Print formula and numbers as LaTeX");
  CLI::Option* csv = app.add_flag(
      "--csv", o->csv,
      "Print all terms as CSV; a spreadsheet program takes tokens that begin with = for formulas "
      "unless it imports their column as text");
  csv->excludes(latex);
  addWithOption(app, o->with);
  app.get_option("--update")->excludes("--with");
  addJsonFlag(app, o->json);
  app.get_option("--json")->excludes(latex)->excludes(csv);
  app.footer(
      "Numbers are computed in double precision. probe lists the tensors of a model.\n"
      "With --json: number, value, token (of an id), made_of [{step, op, formula, with_names, "
      "rule,\n"
      "constant, function, terms [{amount, from}], more_terms}]; of several texts also texts, as\n"
      "probe has them; with --gradient or --update also loss, a sentence on what it is.");
  return [o] { return runExplain(*o); };
}

}  // namespace tfm::cli
