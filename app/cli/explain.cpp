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
#include "app/cli/explanation_tree.h"
#include "app/cli/open_model.h"
#include "app/cli/output.h"
#include "app/cli/read_texts.h"
#include "app/cli/verbs.h"
#include "app/cli/with_option.h"
#include "core/ask/explained_run.h"
#include "core/ask/explained_update.h"
#include "core/ask/probe_batch.h"
#include "core/ask/step_texts.h"
#include "core/base/error.h"
#include "core/observe/explainer.h"
#include "core/observe/formula.h"
#include "core/train/step_parts.h"

namespace tfm::cli {
namespace {

using observe::ExplainedNumber;
using observe::NumberPlace;

struct ExplainArguments {
  std::string file, number;
  std::vector<std::string> inputs, answers, with;
  bool gradient = false, update = false, json = false, latex = false, csv = false;
  int depth = 1;
  int terms = 8;
  std::int64_t most = std::int64_t(TreeSizes().most);
};

using DoubleRun = train::ExplainedRun<double>;

/// What was read, and lossSentence(); "" where no loss is explained.
struct Texts {
  const std::vector<train::ProbeInput>& read;
  std::string loss;
};

int show(const Explained& explained, const Texts& texts, const NumberPlace& place,
         const ExplainArguments& o) {
  const auto most = std::size_t(o.terms);
  if (o.latex)
    std::cout << latexOf(explained.program, explained.explain(place), explained.value, most);
  else if (o.csv)
    std::cout << csvOf(explained.program, explained.explain(place), explained.value);
  else {
    const ExplanationTree tree(explained, place, {o.depth, most, std::size_t(o.most)});
    if (o.json) {
      nlohmann::ordered_json json = tree.json();
      if (texts.read.size() > 1) json["texts"] = jsonOfTexts(texts.read);
      if (!texts.loss.empty()) json["loss"] = texts.loss;
      printWith(std::move(json), o.with);
      return kDone;
    }
    tree.print();
  }
  if (texts.loss.empty()) return kDone;
  if (o.latex || o.csv)
    say("note: " + texts.loss);
  else
    std::cout << texts.loss << '\n';
  return kDone;
}

int runExplain(const ExplainArguments& o) {
  OpenModel model = openModel(o.file);
  train::StepTexts step;
  if (o.gradient || o.update) {
    requireAnswers(o.inputs, o.answers);
    for (const std::string& text : o.inputs) sayWhatIsNotRead(*model.codec, text, "--input");
    step = atOption(
        o.update ? "--update" : "--gradient",
        [&] {
          return train::stepTexts(model.document.state, *model.codec, model.framing, o.inputs,
                                  *model.backend, o.answers);
        },
        "loss");
  } else {
    step.texts = readTexts(model, o.inputs, o.answers);
    step.all = train::joined(step.texts);
  }
  const std::string number = withTokenIndices(model, "--number", o.number);
  const auto interventions = putInForce<double>(model, o.with);
  const ModelState& state = model.document.state;
  std::vector<train::WeightedPart> parts;
  Texts texts{step.texts, {}};
  if (o.gradient || o.update) {
    const matformer::Nesting& nesting = model.document.train.nesting;
    parts = train::partsWithWhole(state.config, nesting);
    texts.loss = lossSentence(step, state.config, nesting);
  }
  requireInside(model, step.all.batch, interventions);
  const auto model_run = std::make_unique<DoubleRun>(state, step.all, parts);
  DoubleRun& run = *model_run;
  NumberPlace place =
      atOption("--number", [&] { return observe::placeNamed(run.program(), number); });
  place.gradient = o.gradient;
  if (!o.update) {
    observe::Explainer<double>& explainer = run.explainer();
    atOption("--number", [&] { return explainer.explain(place); });
    return show({run.program(), [&](const NumberPlace& at) { return explainer.explain(at); },
                 [&](const NumberPlace& at) { return explainer.value(at); },
                 [&](const NumberPlace& at) { return run.token(at); }},
                texts, place, o);
  }
  const auto update = atOption("--number", [&] {
    return train::ExplainedUpdate(state, model.document.train, run.parameterGradients(),
                                  run.program().tensors[std::size_t(place.tensor)].name);
  });
  return show({update.program(), [&](const NumberPlace& at) { return update.explain(at); },
               [&](const NumberPlace& at) { return update.value(at); },
               [](const NumberPlace&) { return std::string(); }},
              texts, update.next(place.row, place.col), o);
}

}  // namespace

Action prepareExplain(CLI::App& app) {
  const auto o = std::make_shared<ExplainArguments>();
  addFileArgument(app, o->file);
  addInputOption(app, o->inputs);
  addAnswerOption(app, o->answers);
  app.add_option("--number", o->number,
                 "The number to explain: a tensor and its row and column, counted from 0, such as "
                 "\"output[2, 5]\", or \"output[2, 'f']\" for the token f; of an attention map "
                 "\"NAME[HEAD, QUERY, KEY]\"; of several texts "
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
            "Terms to show of each step, the largest first");
  addNumber(app, "--most", o->most, 1, 1'000'000,
            "Terms to show in all; levels are followed back until there are as many");
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
      std::string(kAnswerRule) +
      "Numbers are computed in double precision. probe lists the tensors of a model.\n"
      "An amount is factor times the values that are multiplied; the other values, such as an\n"
      "index, are only read. The number is the sum of the amounts and the constant; by the rule\n"
      "share the numerator divided by this sum, else the largest or smallest; then of the "
      "function.\n"
      "With --json: number, value, token (of an id), made_of [{step, op, formula, with_names,\n"
      "rule (sum, share, largest or smallest), numerator and sum (of a share), constant, "
      "function,\n"
      "terms [{amount, factor, numerator (true: this one), from [{number, ..., multiplied}]}],\n"
      "more_terms, more_amount}], left_out (true: for want of --most), left_out_numbers; of "
      "several\n"
      "texts also texts, as probe has them; with --gradient or --update also loss, a sentence on\n"
      "what it is. With --csv: the same of one level.");
  return [o] { return runExplain(*o); };
}

}  // namespace tfm::cli
