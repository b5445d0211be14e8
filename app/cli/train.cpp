// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/App.hpp>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>

#include "app/cli/at_option.h"
#include "app/cli/checkpoints.h"
#include "app/cli/common_options.h"
#include "app/cli/experiment.h"
#include "app/cli/feature_run.h"
#include "app/cli/granularity_text.h"
#include "app/cli/growth_text.h"
#include "app/cli/guarded_output.h"
#include "app/cli/nesting_options.h"
#include "app/cli/open_model.h"
#include "app/cli/output.h"
#include "app/cli/result_rows.h"
#include "app/cli/save_result.h"
#include "app/cli/task_options.h"
#include "app/cli/train_options.h"
#include "app/cli/training_run.h"
#include "app/cli/unfinished.h"
#include "app/cli/verbs.h"
#include "core/base/error.h"
#include "core/base/in_file.h"
#include "core/data/batches.h"
#include "core/data/self_contained.h"
#include "core/data/task_table.h"
#include "core/document/fine_tuning.h"
#include "core/document/fingerprint.h"
#include "core/document/untrained.h"
#include "core/expand/change.h"
#include "core/io/atomic_file.h"
#include "core/train/fit_task.h"
#include "core/train/masked_growth.h"
#include "core/train/trainer.h"

namespace tfm::cli {
namespace {

struct TrainArguments {
  explicit TrainArguments(CLI::App& app)
      : task(app), train(app, StopRules::Offered), nesting(app) {}

  std::string preset, recipe, config, resume;
  TaskOptions task;
  TrainOptions train;
  NestingOptions nesting;
  std::optional<std::int64_t> asked_steps;  // 0: save the model as it is
  std::optional<double> epochs;             // instead
  std::optional<std::uint64_t> seed;
  std::vector<std::string> growths;
  int threads = 1;
  CheckpointOptions checkpoints;
  std::string log, out;
  bool or_cpu = false;
  bool force = false;
  bool json = false;
};

constexpr std::int64_t kMaxSteps = 1'000'000'000;

/// Sets the last step from --steps, which counts from the first step of this run.
void setLastStep(const TrainArguments& o, std::int64_t first_step, train::TrainConfig& config) {
  if (o.asked_steps == 0) return;
  if (o.asked_steps) config.stop.steps = first_step + *o.asked_steps;
  if (config.stop.steps <= first_step)
    throw Error("training has already reached its last step, " + withCommas(config.stop.steps),
                o.resume.empty() ? "--steps" : o.resume,
                "Give the number of further steps with --steps");
  if (config.stop.accuracy + config.stop.loss > 0.0 && config.evaluate_every == 0)
    throw Error("evaluate_every is 0, so the stop rules would never be checked", "command line",
                "Give --evaluate-every a number of steps");
}

/// Sets the last step from --epochs, which count from the first step of this run, too.
void setEpochs(const TrainArguments& o, std::int64_t first_step, const ModelConfig& model,
               const data::Task& task, train::TrainConfig& config) {
  if (!o.epochs) return;
  const std::int64_t steps =
      data::stepsOfEpochs(task, train::framingFor(model, task), *o.epochs, config.batch_size);
  config.stop.steps = first_step + steps;
  if (steps == 0)
    throw Error("the examples of " + std::string(task.name()) + " are generated without end",
                "--epochs", "Give the number of steps with --steps");
}

/// Replaces the growths of the config by --grow. Checks all growths still to come now rather than
/// after hours of training.
void setGrowths(const TrainArguments& o, const ModelState& state, train::TrainConfig& config) {
  if (!o.growths.empty()) config.growths = scheduleFromTexts(o.growths);
  if (!o.growths.empty() && config.growths.front().step < state.step)
    throw Error("step " + withCommas(config.growths.front().step) + " of --grow has passed",
                "--grow", "Choose a step from " + withCommas(state.step));
  const std::string source = o.growths.empty() ? o.recipe + o.config + o.resume : "--grow";
  ModelConfig model = state.config, at_end = model;
  for (const train::ScheduledGrowth& scheduled : config.growths) {
    if (scheduled.step < state.step) continue;
    model = atGrowth(source, [&] {
      return expand::outlineGrowth(model, scheduled.growth, scheduled.step).after;
    });
    if (scheduled.step < config.stop.steps) at_end = model;
  }
  if (o.asked_steps != 0 && train::maskEnd(at_end) > config.stop.steps)
    say("note: this run ends after step " + withCommas(config.stop.steps) +
        ", when what grew with "
        "method=mask counts only " +
        percent(train::maskWeight(at_end, config.stop.steps)) + ": fully from step " +
        withCommas(train::maskEnd(at_end)) + ". Train longer, or give fewer mask_steps");
  o.nesting.requireSizes(config.nesting, model, o.config);
}

/// The experiment of --preset or --config, else the default for the task.
Experiment experimentFor(const TrainArguments& o) {
  if (!o.config.empty()) return readExperiment(o.config);
  if (!o.preset.empty()) return atOption("--preset", [&] { return presetExperiment(o.preset); });
  if (!o.recipe.empty()) return atOption("--recipe", [&] { return recipeExperiment(o.recipe); });
  const std::string_view preset = atOption("--task", [&] { return defaultPreset(o.task.kind()); });
  say("note: using the default model for this task: --preset " + std::string(preset));
  return presetExperiment(preset);
}

/// A new model. One that is only saved may have no task: none is given, and it has none of its own,
/// or one that needs a file.
train::Document freshDocument(const TrainArguments& o, train::TrainConfig& config) {
  Experiment experiment = experimentFor(o);
  config = experiment.train;
  o.train.apply(config, experiment.model, experiment.explicit_train);
  o.nesting.apply(config, experiment.model);
  config.seed = o.seed.value_or(config.seed);
  if (o.asked_steps == 0 && !o.task.given() &&
      (!experiment.task || data::lacksFile(*experiment.task))) {
    train::Document alone = train::untrainedAlone(experiment.model, config);
    setGrowths(o, alone.state, alone.train);
    return alone;
  }

  const data::TaskConfig task_config = o.task.apply(experiment.task, experiment.model);
  const auto task = o.task.make(task_config);
  if (task->form() == data::TaskForm::Numbers)  // one row for each position, or one for all
    experiment.model.output = train::outputFor(experiment.model, *task);
  inFile(o.config.empty() ? kCommandLine : o.config,
         [&] { train::fitToTask(experiment.model, *task); });
  setEpochs(o, 0, experiment.model, *task, config);
  setLastStep(o, 0, config);
  train::Trainer::requireMemory(experiment.model, *task, config.batch_size, o.threads,
                                config.nesting);
  train::Document document = train::newDocument(experiment.model, task_config, config);
  setGrowths(o, document.state, config);
  return document;
}

/// The message about the rates of a new optimizer.
std::string newRates(const train::TrainConfig& config) {
  return "the new optimizer starts with its default rates: --learning-rate " +
         shortNumber(config.schedule.learning_rate) + ", --clip-norm " +
         shortNumber(config.clip_norm) + ", --weight-decay " +
         shortNumber(config.optimizer.weight_decay);
}

/// The task in the options, for a model without one.
void giveTask(const TrainArguments& o, train::Document& document) {
  if (!o.task.given()) inFile(o.resume, [&] { train::requireTask(document); });
  const std::optional<data::MissingTexts> missing = document.missing;
  const data::TaskConfig task = o.task.apply(train::likelyTask(document), document.state.config);
  o.task.make(task);  // says how its files are read
  train::giveTask(document, task);
  if (missing && !data::hasTexts(*document.task, missing->references))
    say("note: the model has learned from another text so far");
}

/// Whether the options give a model another task than the one it has, or could go on with.
bool isFineTuning(const TrainArguments& o, const train::Document& document) {
  if (!o.task.given() || !train::canBeFineTuned(document.state.config)) return false;
  if (document.task) return true;
  const auto codec = train::makeCodec(document);
  return !o.task.kind().empty() && o.task.kind() != codec->name();
}

/// The model of --resume begins the task of the options.
train::Document fineTunedDocument(const TrainArguments& o, const train::Document& before,
                                  train::TrainConfig& config) {
  const auto codec = train::makeCodec(before);
  const std::string kind = o.task.kind().empty() ? codec->name() : o.task.kind();
  const data::TaskConfig usual = atOption("--task", [&] { return data::defaultTaskConfig(kind); });
  const data::TaskConfig task =
      o.task.apply(train::taskToFineTune(*codec, usual), before.state.config);
  config = defaultTraining(before.state.config);
  config.nesting = before.train.nesting;
  config.seed = o.seed.value_or(before.state.seed);
  o.train.apply(config, before.state.config);
  o.nesting.apply(config, before.state.config);
  const auto made = o.task.make(task);  // names the option of a problem
  setEpochs(o, 0, before.state.config, *made, config);
  setLastStep(o, 0, config);
  train::FineTuning tuning = train::fineTuned(before, task, config);
  say("note: another task for " + o.resume + ": " + train::describe(tuning));
  setGrowths(o, tuning.document.state, config);
  return std::move(tuning.document);
}

train::Document resumedDocument(const TrainArguments& o, train::TrainConfig& config) {
  train::Document document = openResumed(o.resume, !o.asked_steps && !o.epochs);
  if (isFineTuning(o, document)) return fineTunedDocument(o, document, config);
  if (o.seed) throw Error("a resumed training keeps its seed", "--seed", "Omit --seed");
  if (document.task && o.task.given())
    throw Error(
        "a resumed training keeps its task", "command line",
        "Omit --task, --data and the other options of the task; they are for models without "
        "a task, and for encoders, which can begin another one");
  if (!document.task) giveTask(o, document);
  config = document.train;
  if (o.train.apply(config, document.state.config)) say("note: " + newRates(config));
  o.nesting.apply(config, document.state.config);
  if (o.epochs)
    setEpochs(o, document.state.step, document.state.config, *train::makeTask(document), config);
  setLastStep(o, document.state.step, config);
  setGrowths(o, document.state, config);
  return document;
}

const char* endingWord(Ending ending) {
  switch (ending) {
    case Ending::AsAsked:
      return "as_asked";
    case Ending::Interrupted:
      return "interrupted";
    case Ending::Diverged:
      return "diverged";
    case Ending::Failed:
      return "failed";
  }
  return "";
}

/// The step of the next scheduled growth.
std::optional<std::int64_t> nextGrowth(const train::Document& document) {
  std::optional<std::int64_t> next;
  for (const train::ScheduledGrowth& growth : document.train.growths)
    if (growth.step >= document.state.step && (!next || growth.step < *next)) next = growth.step;
  return next;
}

struct TrainReport {
  const RunResult& run;
  const std::string& file;

  std::int64_t step() const { return run.document.state.step; }
  const ModelConfig& model() const { return run.document.state.config; }
};

const ResultRows<TrainReport>& trainRows() {
  using R = TrainReport;
  static const ResultRows<R> mask{
      row<R>("weight", [](const R& r) { return train::maskWeight(r.model(), r.step()); }),
      row<R>("ends", [](const R& r) { return train::maskEnd(r.model()); })};
  static const ResultRows<R> rows{
      row<R>("steps", [](const R& r) { return r.run.steps; }),
      row<R>("loss", [](const R& r) { return r.run.evaluation.loss; }),
      row<R>(
          "accuracy", [](const R& r) { return r.run.evaluation.accuracy; },
          "answers that are right in every position"),
      row<R>(
          "position_accuracy", [](const R& r) { return r.run.evaluation.position_accuracy; },
          "positions"),
      row<R>("seconds", [](const R& r) { return r.run.seconds; }),
      row<R>("step", &R::step),
      row<R>("parameters", [](const R& r) { return r.run.document.state.layout.total; }),
      row<R>("ending", [](const R& r) { return endingWord(r.run.ending); }),
      row<R>("reason", [](const R& r) { return r.run.reason; }),
      row<R>("lost_steps", [](const R& r) { return r.run.lost_steps; }),
      row<R>(
          "fingerprint", [](const R& r) { return train::fingerprintOf(r.run.document).text(); },
          "a word each of weights, seed, data and version, to compare runs by"),
      row<R>("file", [](const R& r) { return r.file; }),
      objectRow<R>(
          "mask", mask,
          [](const R& r) {
            const bool full = train::maskWeight(r.model(), r.step()) >= 1.0;
            return full ? std::nullopt : std::optional(r);
          },
          "what grew with method=mask does not count fully yet"),
      row<R>(
          "granularities",
          [](const R& r) {
            const auto& nested = r.run.evaluation.granularities;
            const auto& document = r.run.document;
            return nested.empty() ? Json()
                                  : scoresJson(nested, data::findTask(document.task->kind).form);
          },
          "of a nested model")};
  return rows;
}

void printResult(const TrainArguments& o, const RunResult& r, const std::string& file) {
  const std::int64_t step = r.document.state.step;
  const std::vector<train::GranularityScore>& nested = r.evaluation.granularities;
  if (o.json) {
    printJson(jsonOf(trainRows(), TrainReport{r, file}));
    return;
  }
  std::ostream& out = o.log == "-" ? std::cerr : std::cout;
  const data::TaskForm form = data::findTask(r.document.task->kind).form;
  out << "steps     " << withCommas(r.steps) << " in " << shortNumber(r.seconds, 3)
      << " s, now at step " << withCommas(step) << '\n'
      << "loss      " << shortNumber(r.evaluation.loss) << "  on evaluation examples\n"
      << "accuracy  ";
  if (form == data::TaskForm::Numbers)
    out << percent(r.evaluation.position_accuracy)
        << "  of the numbers within a tenth of a standard deviation\n";
  else if (form == data::TaskForm::Masked)
    out << percent(r.evaluation.position_accuracy)
        << "  of the hidden tokens filled in correctly\n";
  else
    out << percent(r.evaluation.accuracy) << "  answered exactly, "
        << percent(r.evaluation.position_accuracy) << " of their positions right\n";
  if (!nested.empty()) out << "nested    " << accuraciesText(nested) << '\n';
  if (const auto next = nextGrowth(r.document))
    out << "to come   growing after step " << withCommas(*next) << ", when training continues\n";
  if (const double weight = train::maskWeight(r.document.state.config, step); weight < 1.0)
    out << "grown     so far, what grew with method=mask counts " << percent(weight)
        << "; fully from step " << withCommas(train::maskEnd(r.document.state.config)) << '\n';
  out << "words     " << train::fingerprintOf(r.document).text()
      << "  of weights, seed, data, version; " << train::whereTheSame(r.document.train) << '\n'
      << "saved     " << (file.empty() ? "nowhere" : file) << '\n';
}

int exitCode(const TrainArguments& o, const RunResult& r, const Saved& to) {
  if (to.problem) {
    printError(*to.problem);
    return kFailed;
  }
  const std::string saved =
      "state, after step " + withCommas(r.document.state.step) + ", is saved as " + o.out;
  switch (r.ending) {
    case Ending::AsAsked:
      return kDone;
    case Ending::Interrupted:
      say("Interrupted: the " + saved + "; " +
          (isSameFile(o.resume, o.out) ? "" : "the same command or ") + "train --resume " + o.out +
          " continues");
      return kSignal + r.signal;
    case Ending::Diverged:
      printError({r.reason, "training", "The last good " + saved});
      return kFailed;
    case Ending::Failed:
      printError({r.reason, "training", "The last " + saved});
      return kFailed;
  }
  return kFailed;
}

/// A model without a task is not measured.
int saveAlone(const TrainArguments& o, GuardedOutput& out, const train::Document& document) {
  io::requireRoom(o.out, train::fileBytes(document));
  out.save(document);
  const std::int64_t parameters = document.state.layout.total;
  if (o.json)
    printJson({{"steps", 0}, {"step", 0}, {"parameters", parameters}, {"file", o.out}});
  else
    std::cout << "steps     0, without a task: give it one with train --resume\n"
              << "weights   " << withCommas(parameters) << ", random\n"
              << "saved     " << o.out << '\n';
  return kDone;
}

int runTrain(const TrainArguments& o) {
  if (o.log == "-" && o.json)
    throw Error("--log - and --json both write to standard output", "command line",
                "Give --log a file");
  std::vector<GivenFile> read = o.task.files();
  read.push_back({"--config", o.config});
  requireOtherFiles({{"--resume", o.resume}}, {{"--log", o.log}});  // --out may be the same file
  requireOtherFiles(read, {{"--out", o.out, kDocumentEndings},
                           {"--log", o.log, {".jsonl", ".json", ".ndjson", ".log", ".txt"}}});
  GuardedOutput out(o.out, o.force);
  train::TrainConfig config;
  train::Document document =
      o.resume.empty() ? freshDocument(o, config) : resumedDocument(o, config);
  std::optional<train::Document> there = out.takeModel();
  const bool replaces = there && !isSameFile(o.resume, o.out);
  if (replaces && o.asked_steps == 0) requireReplaceable(o.out, *there);
  if (!document.task) return saveAlone(o, out, document);
  std::optional<RunStart> start;
  if (!o.log.empty()) start = startOf(document, config);
  std::optional<train::History> replaced;
  if (there && there->task && data::isSameTask(*there->task, *document.task))
    replaced = there->history;
  if (!replaces) there.reset();
  Left left = Left::Nothing;
  if (o.asked_steps != 0 && !o.force)
    left = resumeWhatIsLeft(o.out, std::move(there), config, document);
  io::requireRoom(o.out, train::fileBytes(document));
  std::optional<TrainingLog> log;
  if (start) log.emplace(o.log, *start, document, config, o.force);
  if (left == Left::All) {
    printResult(o, evaluateOnly(std::move(document), config, o.threads), o.out);
    return kDone;
  }
  const StopSignals signals;  // until everything is saved and printed
  if (const int signal = fillFeatureCache(*document.task, o.threads, signals).signal; signal != 0) {
    say("Interrupted: nothing was trained yet");
    return kSignal + signal;
  }
  std::optional<Checkpoints> checkpoints;
  if (o.asked_steps != 0) checkpoints.emplace(o.out, o.checkpoints, document.history);
  const RunResult result = checkpoints
                               ? runTraining(std::move(document), config, o.threads, signals,
                                             o.or_cpu, log ? &*log : nullptr, &*checkpoints)
                               : evaluateOnly(std::move(document), config, o.threads);
  const Saved saved = saveResult(out, result, replaced ? &*replaced : nullptr,
                                 checkpoints ? checkpoints->best() : nullptr, o.force);
  if (checkpoints) {
    checkpoints->finish(saved.complete);
    for (const std::string& words : checkpoints->takeMessages()) say(words);
  }
  printResult(o, result, saved.file);
  const int code = exitCode(o, result, saved);
  if (log && log->failed() && code == kDone) {
    printError({"the log is incomplete", o.log, "Is the disk full? The model was saved"});
    return kFailed;
  }
  return code;
}

}  // namespace

Action prepareTrain(CLI::App& app) {
  const auto o = std::make_shared<TrainArguments>(app);
  CLI::Option_group* source = app.add_option_group("Model", "Where the model comes from");
  source
      ->add_option("--preset", o->preset,
                   "A preset, see transformarium-cli presets; default for --task")
      ->type_name("NAME");
  source
      ->add_option(
          "--recipe", o->recipe,
          "A source document's model, task and training, see transformarium-cli reproduce; "
          "annotated-transformer-as-written: the schedule as the post states it")
      ->type_name("NAME");
  source->add_option("--config", o->config, "A JSON file with model, task and train")
      ->type_name("FILE");
  source
      ->add_option("--resume", o->resume,
                   "A saved model, to continue its training bit for bit; one without a task needs "
                   "--task or --data, and with them an encoder begins another task with its "
                   "weights (fine-tuning)")
      ->type_name("FILE");
  source->require_option(0, 1);
  app.final_callback([o = o.get()] {
    if (o->preset.empty() && o->recipe.empty() && o->config.empty() && o->resume.empty() &&
        o->task.kind().empty())
      throw CLI::RequiredError("one of --preset, --recipe, --config, --resume and --task");
  });
  CLI::Option* steps = addNumber(
      app, "--steps", o->asked_steps, 0, kMaxSteps,
      "Number of steps to train; 0: save the model as it is, also without a task; default "
      "as in its config");
  addNumber(app, "--epochs", o->epochs, 1e-3, 1e5,
            "Instead of --steps, for stored examples: the number of passes over them in this run")
      ->excludes(steps);
  addSeedOption(app, "Seed of initial weights, examples and dropout",
                [o = o.get()](std::uint64_t seed) { o->seed = seed; });
  addGrowOption(app, o->growths);
  addThreadsOption(app, o->threads);
  app.add_option("--log", o->log,
                 "Write measurements and growths as JSON lines, appended to those of this "
                 "run; -: standard output")
      ->type_name("FILE");
  app.add_option("--out", o->out, "Where to save the model (.safetensors)")
      ->type_name("FILE")
      ->required();
  addCheckpointOptions(app, o->checkpoints);
  app.add_flag("--or-cpu", o->or_cpu, "Continue on the CPU if the device runs out of memory");
  app.add_flag("--force", o->force,
               "Start over, and replace whatever --out and --log are: another training's, or a "
               "better model");
  addJsonFlag(app, o->json);
  app.footer(
      paragraph("With --json: " + membersOf(trainRows()) + ".") +
      "\n"
      "While it runs, training keeps a checkpoint NAME.checkpoint.safetensors beside --out\n"
      "NAME.safetensors, in at most 1 % of its time unless --save-every is given. It is removed\n"
      "when the model is saved. After Ctrl-C, a crash or kill -9, the same command, or --resume\n"
      "NAME.safetensors, resumes bit for bit; once it has come to its end, it trains nothing.\n"
      "--force starts over.\n"
      "The log has one JSON object a line, by ascending step: {kind: run, step, seed, run (equal\n"
      "for commands that train the same)}; {kind: step, ...}; {kind: evaluation, ...}; {kind:\n"
      "growth, step, expansion, growth, exact, inexact, notes, parameters_before,\n"
      "parameters_after, parameters [one for each, as in expand --log]}. A resumed run is\n"
      "appended to its log.\n"
      "A much worse model is saved beside --out as NAME.new.safetensors, with exit code 1. It is\n"
      "much worse if its loss exceeds twice the lowest plus 0.5, either the mean training loss of\n"
      "the last 20 steps or the evaluation loss.");
  return [o] { return runTrain(*o); };
}

}  // namespace tfm::cli
