// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/App.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <iomanip>
#include <iostream>
#include <memory>
#include <optional>

#include "app/cli/at_option.h"
#include "app/cli/common_options.h"
#include "app/cli/granularity_text.h"
#include "app/cli/open_model.h"
#include "app/cli/output.h"
#include "app/cli/progress.h"
#include "app/cli/result_rows.h"
#include "app/cli/stop_signals.h"
#include "app/cli/task_options.h"
#include "app/cli/verbs.h"
#include "app/cli/with_option.h"
#include "core/ask/submodel_scorer.h"
#include "core/ask/translation_score.h"
#include "core/base/error.h"
#include "core/base/in_file.h"
#include "core/data/labelled_task.h"
#include "core/data/self_contained.h"
#include "core/data/task_table.h"
#include "core/matformer/mix_n_match.h"
#include "core/train/diverged.h"
#include "core/train/fit_task.h"
#include "core/train/trainer.h"

namespace tfm::cli {
namespace {

struct EvalArguments {
  std::string file, test, granularity;
  std::vector<std::string> with;
  bool all_granularities = false;
  std::int64_t examples = 0;  // 0: as in training, or all of --test; BLEU: all questions
  bool bleu = false;
  std::optional<std::int64_t> beams;
  double length_penalty = BeamOptions{}.length_penalty;
  int threads = 1;
  bool json = false;
};

/// A submodel, its name and its scores.
struct Measured {
  std::string name;
  train::SubmodelScore score;
};

/// Throws Error: the loss of the model is not a number.
[[noreturn]] void refuseBroken(const EvalArguments& o, const std::string& why) {
  throw Error(why, o.file, "This model is broken: use one saved earlier, or train it again");
}

/// The model, with the texts of --test to evaluate on.
OpenModel modelFor(const EvalArguments& o) {
  OpenModel model = openWithTask(o.file);
  if (o.test.empty()) return model;
  data::TaskConfig& task = *model.document.task;
  if (!data::isLabelled(task))
    throw Error("the task '" + task.kind + "' of this model does not allow other test texts",
                "--test", "Only sentiment and classes from a file with a --tokenizer do");
  sayNotes(data::measureOn(task, o.test));
  data::keepVocabulary(task, *model.task);  // the vocabulary must not change
  model.task = data::makeTask(task);
  model.codec = model.task;
  train::checkFit(model.document.state.config, *model.task);
  return model;
}

std::int64_t examplesFor(const EvalArguments& o, const OpenModel& model) {
  if (o.examples > 0) return o.examples;
  return o.test.empty() ? model.document.train.evaluation_size
                        : model.task->exampleCount(data::Split::Evaluation);
}

std::vector<Measured> measure(const EvalArguments& o, OpenModel& model) {
  const ModelConfig& config = model.document.state.config;
  const auto granularities = matformer::granularities(config, model.document.train.nesting);
  std::vector<Submodel> wanted;
  for (const matformer::Granularity& one : granularities)
    if (o.all_granularities) wanted.push_back(one.submodel);
  if (!o.granularity.empty())
    wanted.push_back(atOption("--granularity", [&] {
      return matformer::submodelNamed(config, granularities, o.granularity);
    }));
  if (wanted.empty())
    throw Error("this model was not trained with nested submodels", o.file,
                "Train with --matformer, or give widths: --granularity 8,16");
  train::SubmodelScorer scorer(model.task, std::make_shared<const ModelState>(model.document.state),
                               examplesFor(o, model), o.threads);
  std::vector<Measured> all;
  for (const Submodel& submodel : wanted) {
    all.push_back({matformer::nameOf(granularities, submodel), *scorer.score(submodel)});
    if (!std::isfinite(all.back().score.loss))
      refuseBroken(o, "the loss of " + all.back().name + " is not a number");
  }
  return all;
}

const ResultRows<Measured>& submodelRows() {
  ResultRow<Measured> accuracy =
      row<Measured>("accuracy", [](const Measured& m) { return m.score.accuracy(); });
  accuracy.key = [](const Measured& m) { return m.score.answers.accuracyName(); };
  static const ResultRows<Measured> rows{
      row<Measured>("name", &Measured::name),
      row<Measured>("widths", [](const Measured& m) { return m.score.submodel.widths; }),
      row<Measured>("heads", [](const Measured& m) { return m.score.submodel.heads; }),
      row<Measured>(
          "parameters", [](const Measured& m) { return m.score.cost.parameters; }, "read by it"),
      row<Measured>(
          "flops", [](const Measured& m) { return m.score.cost.flops; }, "one forward pass"),
      row<Measured>("loss", [](const Measured& m) { return m.score.loss; }),
      accuracy,
      row<Measured>(
          "agreement", [](const Measured& m) { return m.score.agreement; },
          "share of positions answered as by the whole model"),
      row<Measured>(
          "divergence", [](const Measured& m) { return m.score.divergence; },
          "KL(whole || submodel), in nats"),
      row<Measured>(
          "milliseconds", [](const Measured& m) { return m.score.milliseconds; }, "of an example")};
  return rows;
}

void printTable(const std::vector<Measured>& all, data::TaskForm form) {
  std::size_t longest = 4;
  for (const Measured& m : all) longest = std::max(longest, m.name.size());
  const auto cell = [](const std::string& text) { std::cout << std::setw(13) << text; };
  std::cout << std::string(longest, ' ');
  for (const char* title : {"parameters", "FLOP", "ms", "loss", "accuracy", "as the whole", "KL"})
    cell(title);
  std::cout << '\n';
  for (const Measured& m : all) {
    std::cout << std::left << std::setw(int(longest)) << m.name << std::right;
    cell(withCommas(m.score.cost.parameters));
    cell(withCommas(m.score.cost.flops));
    cell(shortNumber(m.score.milliseconds, 3));
    cell(shortNumber(m.score.loss));
    cell(percent(m.score.accuracy()));
    cell(percent(m.score.agreement));
    cell(shortNumber(m.score.divergence, 3));
    std::cout << '\n';
  }
  const train::SubmodelScore& first = all.front().score;
  std::cout << "of " << withCommas(first.examples) << " evaluation examples";
  if (first.answers.all != first.examples)
    std::cout << ", accuracy of their " << withCommas(first.answers.all)
              << (form == data::TaskForm::Numbers  ? " numbers"
                  : form == data::TaskForm::Masked ? " hidden tokens"
                                                   : " characters");
  std::cout << '\n';
}

int runNested(const EvalArguments& o, OpenModel& model) {
  const std::vector<Measured> all = measure(o, model);
  if (!o.json) {
    printTable(all, model.codec->form());
    return kDone;
  }
  Json json{{"examples", all.front().score.examples}, {"step", model.document.state.step}};
  if (o.all_granularities) {
    for (const Measured& m : all) json["granularities"].push_back(jsonOf(submodelRows(), m));
  } else {
    json.update(jsonOf(submodelRows(), all.front()));
  }
  printWith(std::move(json), o.with);
  return kDone;
}

struct Translated {
  const train::TranslationScore& score;
  const BeamOptions& options;
};

const ResultRows<Translated>& bleuRows() {
  using T = Translated;
  static const ResultRows<T> rows{
      row<T>("score", [](const T& t) { return t.score.bleu.score; }),
      row<T>("signature", [](const T& t) { return t.score.bleu.signature; }),
      row<T>("precisions", [](const T& t) { return t.score.bleu.precisions; }),
      row<T>("brevity_penalty", [](const T& t) { return t.score.bleu.brevity_penalty; }),
      row<T>("hypothesis_length", [](const T& t) { return t.score.bleu.hypothesis_length; }),
      row<T>("reference_length", [](const T& t) { return t.score.bleu.reference_length; }),
      row<T>(
          "questions", [](const T& t) { return t.score.questions.size(); }, "translated"),
      row<T>("asked", [](const T& t) { return t.score.asked; }),
      row<T>("beams", [](const T& t) { return t.options.beams; }),
      row<T>("length_penalty", [](const T& t) { return t.options.length_penalty; }),
      row<T>("seconds", [](const T& t) { return t.score.seconds; })};
  return rows;
}

/// BLEU of the model's translations of the held-out questions, or of those done when interrupted.
int runBleu(const EvalArguments& o, const OpenModel& model) {
  BeamOptions options;
  options.beams = o.beams.value_or(1);
  options.length_penalty = o.length_penalty;
  const StopSignals signals;
  LongWork work(signals);
  const auto progress = [&](std::int64_t done, std::int64_t all) {
    return work.goOn(double(done) / double(all));
  };
  const train::TranslationScore t = train::scoreTranslations(
      model.document.state, *model.task, options, o.examples, *model.backend, progress);
  work.clearLine();
  const bool whole = std::ssize(t.questions) == t.asked;
  const int code = whole ? kDone : kSignal + work.signal();
  const data::Bleu& b = t.bleu;
  if (o.json) {
    printWith(
        {{"bleu", jsonOf(bleuRows(), Translated{t, options})}, {"step", model.document.state.step}},
        o.with);
    return code;
  }
  std::cout << "BLEU  " << shortNumber(b.score) << "  " << b.signature << '\n'
            << "      n-gram precisions";
  for (const double precision : b.precisions) std::cout << ' ' << shortNumber(precision, 3);
  std::cout << ", brevity penalty " << shortNumber(b.brevity_penalty, 3) << " ("
            << withCommas(b.hypothesis_length) << " tokens for " << withCommas(b.reference_length)
            << ")\n      " << withCommas(std::ssize(t.questions))
            << (whole ? "" : " (the shortest) of " + withCommas(t.asked)) << " held-out questions, "
            << (options.beams == 1 ? "greedy" : "beam " + std::to_string(options.beams)) << ", in "
            << shortNumber(t.seconds, 3) << " s\n";
  if (!whole) say("Interrupted: the other questions were not translated");
  return code;
}

const ResultRows<train::Evaluation>& wholeRows() {
  using E = train::Evaluation;
  static const ResultRows<E> rows{row<E>("loss", &E::loss),
                                  row<E>("accuracy", &E::accuracy, "answered exactly"),
                                  row<E>("position_accuracy", &E::position_accuracy),
                                  row<E>("examples", &E::examples), row<E>("step", &E::step)};
  return rows;
}

int runWhole(const EvalArguments& o, OpenModel& model) {
  train::Document& document = model.document;
  const std::int64_t examples = examplesFor(o, model);
  train::Trainer trainer(model.task, std::move(document.state), document.train, o.threads);
  const train::Evaluation e = [&] {
    try {
      return trainer.evaluate(examples);
    } catch (const train::Diverged& problem) {
      refuseBroken(o, problem.problem() + " in " + problem.tensor());
    }
  }();
  if (o.json) {
    printWith(jsonOf(wholeRows(), e), o.with);
    return kDone;
  }
  std::cout << "loss      " << shortNumber(e.loss) << '\n';
  if (model.codec->form() == data::TaskForm::Numbers) {
    std::cout << "accuracy  " << percent(e.position_accuracy) << " of the numbers in "
              << withCommas(e.examples) << " evaluation examples within "
              << shortNumber(model.codec->tolerance()) << " of the right ones\n";
    return kDone;
  }
  if (model.codec->form() == data::TaskForm::Masked) {
    std::cout << "accuracy  " << percent(e.position_accuracy) << " of the hidden tokens in "
              << withCommas(e.examples) << " evaluation examples filled in correctly\n";
    return kDone;
  }
  std::cout << "accuracy  " << percent(e.accuracy) << " of " << withCommas(e.examples)
            << " evaluation examples answered exactly\n"
            << "          " << percent(e.position_accuracy) << " of their positions right\n";
  return kDone;
}

int runEval(const EvalArguments& o) {
  OpenModel model = modelFor(o);
  putInForce<float>(model, o.with);
  if (o.bleu) return inFile(o.file, [&] { return runBleu(o, model); });
  const bool nested = o.all_granularities || !o.granularity.empty();
  return nested ? runNested(o, model) : runWhole(o, model);
}

}  // namespace

Action prepareEval(CLI::App& app) {
  const auto o = std::make_shared<EvalArguments>();
  addFileArgument(app, o->file);
  app.add_option("--test", o->test, "classes, sentiment: evaluate on all of these texts instead")
      ->type_name("FILE");
  CLI::Option* one = addGranularityOption(app, o->granularity);
  CLI::Option* all = app.add_flag("--all-granularities", o->all_granularities,
                                  "Evaluate all submodels it was trained with")
                         ->excludes(one);
  CLI::Option* bleu =
      app.add_flag("--bleu", o->bleu,
                   "pairs: BLEU of its answers to all distinct held-out questions, as sacrebleu "
                   "computes it")
          ->excludes(one)
          ->excludes(all);
  addBeamOptions(app, o->beams, o->length_penalty)->needs(bleu);
  addNumberFunction<std::int64_t>(app, "--examples", {1, 10'000'000},
                                  "Number of examples; default as in training",
                                  [o = o.get()](std::int64_t examples) { o->examples = examples; });
  addThreadsOption(app, o->threads);
  addWithOption(app, o->with);
  addJsonFlag(app, o->json);
  app.footer(paragraph(
      "With --json: " + membersOf(wholeRows()) +
      ". With --all-granularities: examples, step, granularities [{" + membersOf(submodelRows()) +
      "}]; with --granularity: the same of one. With --bleu: bleu {" + membersOf(bleuRows()) +
      "}, step; Ctrl-C ends it with the score of the questions translated so "
      "far."));
  return [o] { return runEval(*o); };
}

}  // namespace tfm::cli
