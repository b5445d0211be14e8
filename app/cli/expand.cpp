// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/App.hpp>
#include <algorithm>
#include <chrono>
#include <iostream>
#include <memory>
#include <optional>

#include "app/cli/at_option.h"
#include "app/cli/common_options.h"
#include "app/cli/growth_json.h"
#include "app/cli/growth_text.h"
#include "app/cli/guarded_output.h"
#include "app/cli/open_model.h"
#include "app/cli/output.h"
#include "app/cli/output_files.h"
#include "app/cli/progress.h"
#include "app/cli/result_rows.h"
#include "app/cli/stop_signals.h"
#include "app/cli/unfinished.h"
#include "app/cli/verbs.h"
#include "core/ask/growth_proof.h"
#include "core/base/error.h"
#include "core/base/system_memory.h"
#include "core/document/history.h"
#include "core/expand/growth_log.h"
#include "core/expand/kinds.h"
#include "core/io/atomic_file.h"
#include "core/io/text_file.h"
#include "core/train/clock.h"

namespace tfm::cli {
namespace {

using expand::Growth;
using expand::Kind;
using expand::Plan;

constexpr std::int64_t kMaxProbes = 50;

struct ExpandArguments {
  std::string file, plan, set, broken, save_plan, log, out;
  std::optional<std::string> layers, stack, attention, method;
  std::optional<std::int64_t> insert;
  bool allow_inexact = false, unshare = false, json = false;
};

/// The number of layers of the stack chosen by --stack, or of the only one.
std::int64_t layerCount(const ModelConfig& model, const std::optional<std::string>& stack) {
  const bool encoder = stack == "encoder" || !model.hasDecoder();
  return std::int64_t((encoder ? model.encoder_layers : model.decoder_layers).size());
}

/// Applies the options for all growths to one. Throws Error if it does not support one of them.
Growth withOptions(Growth growth, const ExpandArguments& o) {
  const auto choose = [&](std::string_view choice, const std::string& value, const char* option) {
    growth = withChoice(growth, choice, value, option, option);
  };
  if (o.stack) choose("stack", *o.stack, "--stack");
  if (o.attention) choose("attention", *o.attention, "--attention");
  if (o.method) choose("method", *o.method, "--method");
  if (o.insert && growth.kind == Kind::Layers)
    choose("position", std::to_string(*o.insert), "--insert-layer");
  if (o.allow_inexact) choose("allow_inexact", "", "--allow-inexact");
  if (o.unshare) choose("unshare", "", "--unshare");
  if (o.layers) {
    std::string layers = *o.layers;
    std::ranges::replace(layers, ',', '+');
    choose("layer", layers, "--layers");
  }
  return growth;
}

/// The option or file that defines the growth.
std::string sourceOf(const ExpandArguments& o) {
  if (!o.plan.empty()) return o.plan;
  return o.set.empty() ? "--insert-layer" : "--set";
}

/// Breaks the rule of --break where possible. Throws Error if it applies nowhere.
void breakOnPurpose(const ExpandArguments& o, const ModelState& before, Plan& plan) {
  const std::string& word = o.broken;
  if (word.empty()) return;
  const nlohmann::json any{{"kind", "heads"}, {"size", 1}, {"break", word}};
  const expand::Break broken = expand::planFromJson(any.dump(), "command line").front().broken;
  ModelConfig config = before.config;
  bool found = false;
  for (Growth& growth : plan) {
    const std::vector<expand::Break> possible = expand::possibleBreaks(config, growth);
    const bool fits = std::find(possible.begin(), possible.end(), broken) != possible.end();
    if (fits) growth.broken = broken;
    found = found || fits;
    config = atGrowth(sourceOf(o),
                      [&] { return expand::outlineGrowth(config, growth, before.step).after; });
  }
  if (!found)
    throw Error("the plan has no rule to break with " + word, "--break",
                "Choose another one, or an expansion with this rule");
}

/// Throws Error for a field that has no effect.
Plan planFromFile(const std::string& file) {
  Plan plan = expand::planFromJson(io::readTextFile(file), file);
  for (const Growth& growth : plan)
    expand::refuseWithoutEffect(growth,
                                file + ": growing " + std::string(expand::rowOf(growth.kind).name));
  return plan;
}

Plan planFor(const ExpandArguments& o, const ModelState& before) {
  if (!o.plan.empty()) return planFromFile(o.plan);
  std::vector<WrittenGrowth> growths = growthsFromText(o.set, "--set");
  const auto adds = [](const WrittenGrowth& g) { return g.growth.kind == Kind::Layers; };
  if (o.insert && std::none_of(growths.begin(), growths.end(), adds)) {
    WrittenGrowth& added = growths.emplace_back();
    added.growth.kind = Kind::Layers;
    added.growth.size = layerCount(before.config, o.stack) + 1;
  }
  for (WrittenGrowth& written : growths) written.growth = withOptions(written.growth, o);
  Plan plan = planOf(growths, "--set");
  breakOnPurpose(o, before, plan);
  return plan;
}

/// Descriptions of the growths, as in the window.
std::vector<std::string> stepsOf(const expand::Grown& grown) {
  std::vector<std::string> steps;
  for (const expand::Change& change : grown.changes)
    steps.push_back(expand::describe(change.growth, change.before));
  return steps;
}

/// "1.2e-07 (mean 3.4e-09)".
std::string differences(double largest, double mean) {
  return shortNumber(largest, 2) + " (mean " + shortNumber(mean, 2) + ")";
}

/// The share of equal answers.
double agreement(const train::GrowthProof& proof) {
  const auto all = proof.answers_before.size();
  return all == 0 ? 1.0 : double(proof.sameAnswers()) / double(all);
}

double samePositions(const train::GrowthProof& proof) {
  return double(proof.same_positions) / double(proof.positions);
}

struct ExpandResult {
  const train::GrowthProof& proof;
  const expand::Grown& grown;
  const std::string& file;
};

/// A row of the proof's verdict.
template <class Value>
ResultRow<ExpandResult> verdictRow(std::string name, Value expand::Verdict::*member,
                                   std::string note = {}) {
  return row<ExpandResult>(
      std::move(name), [member](const ExpandResult& r) { return r.proof.verdict.*member; },
      std::move(note));
}

const ResultRows<ExpandResult>& expandRows() {
  using expand::Verdict;
  using R = ExpandResult;
  static const ResultRows<R> rows{
      verdictRow("parameters_before", &Verdict::parameters_before),
      verdictRow("parameters_after", &Verdict::parameters_after),
      verdictRow("max_abs_diff", &Verdict::max_difference, "float"),
      verdictRow("mean_abs_diff", &Verdict::mean_difference),
      verdictRow("max_abs_diff_double", &Verdict::max_difference_double),
      verdictRow("mean_abs_diff_double", &Verdict::mean_difference_double),
      verdictRow("exact", &Verdict::exact),
      verdictRow("tolerance", &Verdict::tolerance),
      verdictRow("loss_before", &Verdict::loss_before),
      verdictRow("loss_after", &Verdict::loss_after),
      row<R>("held_out", [](const R& r) { return r.proof.held_out; }),
      row<R>(
          "answers", [](const R& r) { return r.proof.answers_before.size(); },
          "that both models decoded"),
      row<R>(
          "agreement", [](const R& r) { return agreement(r.proof); },
          "share of them that is the same"),
      row<R>(
          "same_positions", [](const R& r) { return samePositions(r.proof); },
          "share of all positions with the same most likely token"),
      listRow<R>(
          "steps", growthRows(), [](const R& r) -> const auto& { return r.grown.changes; }),
      row<R>("file", [](const R& r) { return r.file; })};
  return rows;
}

void printResult(const ExpandArguments& o, const train::GrowthProof& proof,
                 const expand::Grown& grown) {
  const expand::Verdict& v = proof.verdict;
  const std::vector<std::string> words = stepsOf(grown);
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::cout << (i == 0 ? "grown       " : "            ") << words[i] << '\n';
    for (const std::string& note : grown.changes[i].notes)
      std::cout << "            " << note << '\n';
    if (const std::string& why = grown.changes[i].inexact; !why.empty())
      std::cout << "            not exact: " << why << '\n';
  }
  std::cout << "parameters  " << withCommas(v.parameters_before) << " -> "
            << withCommas(v.parameters_after) << '\n'
            << "difference  " << differences(v.max_difference_double, v.mean_difference_double)
            << " in double, " << differences(v.max_difference, v.mean_difference) << " in float\n"
            << "exact       " << (v.exact ? "yes" : "NO") << ": at most "
            << shortNumber(v.tolerance, 2) << " in double counts as exact\n"
            << "loss        " << shortNumber(v.loss_before, 6) << " -> "
            << shortNumber(v.loss_after, 6)
            << (proof.held_out ? "" : "  on random tokens: the model has no task") << '\n';
  if (!proof.answers_before.empty())
    std::cout << "answers     " << proof.sameAnswers() << " of " << proof.answers_before.size()
              << " are the same, decoded greedily up to token " << proof.max_tokens
              << "; the same most likely token at " << percent(samePositions(proof)) << " of "
              << withCommas(proof.positions) << " positions\n";
  std::cout << "saved       " << o.out << '\n';
}

/// Shows progress on a terminal and stops on signals.
class Watch {
 public:
  ~Watch() { showProgress({}); }
  expand::Progress progress(const char* what) {
    return [this, what](std::int64_t done, std::int64_t all) {
      if (signal_ != 0 || !pace_.isDue()) return signal_ == 0;
      showProgress(what + (' ' + percent(double(done) / double(std::max(all, done)))));
      signal_ = signals_.waitFor(std::chrono::milliseconds(0)).value_or(0);
      return signal_ == 0;
    };
  }
  int signal() const { return signal_; }

 private:
  const StopSignals signals_;
  train::RateLimiter pace_;
  int signal_ = 0;
};

/// Throws Error if memory does not suffice; prints a message if it takes long.
void announce(const ExpandArguments& o, const ModelState& before, const Plan& plan,
              const data::Task* task, std::int64_t examples) {
  constexpr double kLong = 2.0;  // seconds
  const auto outline = atGrowth(
      sourceOf(o), [&] { return expand::outlineGrowths(before.config, plan, before.step); });
  train::requireMemoryToProve(outline, task, examples);
  const expand::GrowthCost cost = expand::costOf(outline);
  if (cost.seconds >= kLong)
    say("growing to " + withCommas(cost.parameters) + " parameters takes about " +
        durationText(cost.seconds) + " and " + byteText(cost.bytes) + " of memory");
}

int runExpand(const ExpandArguments& o) {
  // --out may be FILE.
  requireOtherFiles({{"FILE", o.file}}, {{"--save-plan", o.save_plan}, {"--log", o.log}});
  requireOtherFiles({{"--plan", o.plan}}, {{"--out", o.out, kDocumentEndings},
                                           {"--save-plan", o.save_plan, {".json"}},
                                           {"--log", o.log, {".tsv", ".log", ".txt"}}});
  GuardedOutput out(o.out);
  requireReplaceable(out, o.file);
  OpenModel model = openModel(o.file);
  const ModelState& before = model.document.state;
  const Plan plan = planFor(o, before);
  if (plan.empty()) throw Error("the plan is empty", sourceOf(o), "Name at least one expansion");
  const std::int64_t examples =
      std::min({kMaxProbes, model.document.train.evaluation_size, model.document.train.batch_size});
  announce(o, before, plan, model.task.get(), examples);
  expand::Grown grown;
  train::GrowthProof proof;
  std::optional<Watch> watch(std::in_place);
  try {
    grown = expand::grow(before, plan, watch->progress("growing"));
    proof = train::proveGrowth(before, grown, *model.codec, model.task.get(), model.framing,
                               examples, watch->progress("proving"));
  } catch (const expand::Cancelled&) {
    const int signal = watch->signal();
    watch.reset();
    say("Interrupted: nothing was saved");
    return kSignal + signal;
  }
  watch.reset();

  Plan decided;
  for (const expand::Change& change : grown.changes) decided.push_back(change.growth);
  const std::int64_t step = before.step;
  model.document.state = std::move(grown.state);
  for (std::string text : stepsOf(grown)) {
    if (proof.verdict.exact) text += train::kProved;
    train::addEvent(model.document.history, {step, train::EventKind::Growth, std::move(text)});
  }
  // The model last: it may replace FILE.
  if (!o.save_plan.empty()) io::writeFile(o.save_plan, expand::toJson(decided) + "\n");
  if (!o.log.empty()) io::writeFile(o.log, expand::growthLogTsv(expand::growthLog(grown.changes)));
  out.save(model.document);
  if (o.json)
    printJson(jsonOf(expandRows(), ExpandResult{proof, grown, o.out}));
  else
    printResult(o, proof, grown);
  return kDone;
}

void addChoices(CLI::App& app, ExpandArguments& o) {
  app.add_option("--layers", o.layers, "For all of --set: only these layers, from 1, e.g. 1,3")
      ->type_name("LIST");
  app.add_option("--stack", o.stack, "For all of --set: only this stack, encoder or decoder")
      ->type_name("WORD");
  app.add_option("--attention", o.attention, "For all of --set: only this attention, self or cross")
      ->type_name("WORD");
  app.add_option(
         "--method", o.method,
         "Method: zero_pad, centre, average, duplicate or mask (hidden); zero_branches, gate "
         "or hand_over (layers)")
      ->type_name("WORD");
  app.add_option(
         "--break", o.broken,
         "Break a rule on purpose: random_instead_of_zero, no_key_rescale, no_gain_rescale, "
         "no_eps_rescale (as in the expansions notebook), zero_pad_under_layer_norm, "
         "sinusoid_recomputed or embedding_scale_recomputed")
      ->type_name("WORD");
  app.add_flag("--allow-inexact", o.allow_inexact, "Allow growth that changes the answers");
  app.add_flag("--unshare", o.unshare, "First give layers with shared parameters their own");
}

}  // namespace

Action prepareExpand(CLI::App& app) {
  const auto o = std::make_shared<ExpandArguments>();
  addFileArgument(app, o->file);
  CLI::Option_group* what = app.add_option_group("Growth", "What grows");
  what->add_option("--plan", o->plan, "A JSON file with a list of expansions")->type_name("FILE");
  what->add_option("--set", o->set,
                   "New sizes: feed_forward=16,heads=9,value_size=8,key_size=8,hidden=16,"
                   "decoder.layers=3; after a size, choices for it alone: " +
                       std::string(kGrowthChoices))
      ->type_name("LIST");
  addNumber(*what, "--insert-layer", o->insert, 0, 1024,
            "Insert a layer after this one; 0: before layer 1");
  what->require_option(1, 2);
  addChoices(app, *o);
  CLI::Option* plan = what->get_option("--plan");  // which contains all of this
  for (const char* name : {"--set", "--insert-layer"}) plan->excludes(what->get_option(name));
  for (const char* name : {"--layers", "--stack", "--attention", "--method", "--break",
                           "--allow-inexact", "--unshare"})
    plan->excludes(app.get_option(name));
  app.add_option("--save-plan", o->save_plan, "Where to save the plan for another --plan")
      ->type_name("FILE");
  app.add_option("--log", o->log,
                 "Where to write, for each parameter, its shapes and how many entries were copied, "
                 "rescaled and by what, zero or free (tab-separated)")
      ->type_name("FILE");
  app.add_option("--out", o->out, "Where to save the grown model (.safetensors)")
      ->type_name("FILE")
      ->required();
  addJsonFlag(app, o->json);
  app.footer(paragraph("With --json: " + membersOf(expandRows()) + ".") + "\n" +
             paragraph("Both models are measured on held-out examples of the task; without a task, "
                       "on random tokens: held_out is false, and the losses mean nothing."));
  return [o] { return runExpand(*o); };
}

}  // namespace tfm::cli
