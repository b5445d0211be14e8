// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/study_run.h"

#include <CLI/App.hpp>
#include <filesystem>
#include <iostream>
#include <span>
#include <variant>

#include "app/cli/at_option.h"
#include "app/cli/common_options.h"
#include "app/cli/experiment.h"
#include "app/cli/feature_run.h"
#include "app/cli/output.h"
#include "app/cli/output_files.h"
#include "app/cli/progress.h"
#include "app/cli/result_rows.h"
#include "app/cli/stop_signals.h"
#include "app/cli/verbs.h"
#include "core/backend/about.h"
#include "core/base/content_hash.h"
#include "core/base/in_file.h"
#include "core/data/batches.h"
#include "core/data/self_contained.h"
#include "core/data/task_statistics.h"
#include "core/io/atomic_file.h"
#include "core/io/file_lock.h"
#include "core/train/fit_task.h"

namespace tfm::cli {
namespace {

/// An object for each row, with the names of the columns.
Json toJson(const train::MeasuredTable& table) {
  Json rows = Json::array();
  for (const std::vector<train::StudyCell>& row : table.rows) {
    Json object = Json::object();
    for (std::size_t i = 0; i < row.size(); ++i)
      std::visit([&](const auto& value) { object[table.columns[i]] = value; }, row[i]);
    rows.push_back(std::move(object));
  }
  return rows;
}

const ResultRows<train::SharedStart>& sharedRows() {
  using train::SharedStart;
  static const ResultRows<SharedStart> rows{
      row<SharedStart>("arm", &SharedStart::arm),
      row<SharedStart>("tensors", &SharedStart::tensors),
      row<SharedStart>("all_tensors", &SharedStart::all_tensors),
      row<SharedStart>("parameters", &SharedStart::parameters),
      row<SharedStart>("all_parameters", &SharedStart::all_parameters)};
  return rows;
}

struct StudyReport {
  const StudyOptions& options;
  std::int64_t steps;
  bool cancelled;
  const StudySummary& summary;
};

/// `columns`: the names of those of the rows.
ResultRows<StudyReport> reportRows(const std::string& columns) {
  using R = StudyReport;
  ResultRow<R> spread = row<R>("spread", [](const R& r) { return toJson(r.summary.rows); });
  spread.members = "[{" + columns + "}]";
  ResultRow<R> shared = listRow<R>(
      "same_start", sharedRows(), [](const R& r) { return r.summary.shared; }, "with --same-start");
  shared.value = [all = shared.value](const R& r) {
    return r.summary.shared.empty() ? Json() : all(r);
  };
  return {row<R>("seeds", [](const R& r) { return r.options.seeds; }),
          row<R>("steps", &R::steps),
          row<R>("cancelled", &R::cancelled),
          std::move(spread),
          row<R>("file", [](const R& r) { return r.options.out; }),
          std::move(shared)};
}

/// "1 finished run".
std::string runsText(std::int64_t count) { return counted(count, "finished run"); }

/// Throws Error if there is a table that would be lost and may be of another study.
void requireOwnTable(const StudyOptions& options, const train::KeptRuns& runs) {
  std::error_code unknown;
  const std::filesystem::path file = options.out;
  const bool empty = !std::filesystem::is_regular_file(file, unknown) ||
                     std::filesystem::file_size(file, unknown) == 0;
  if (empty || options.force || runs.isClaimed()) return;
  throw Error("there is a table already, and no " + runs.folder().string() +
                  " that says which study it is of",
              options.out, "Choose another --out, or replace the table with --force");
}

}  // namespace

StudyOptions::StudyOptions(CLI::App& app)
    : models(app.add_option_group("Model", "Where the model comes from")),
      task(app),
      train(app, StopRules::None) {
  models->add_option("--preset", preset, "A preset; see transformarium-cli presets")
      ->type_name("NAME");
  models->add_option("--config", config, "A JSON file with model, task and train")
      ->type_name("FILE");
  models->require_option(1);
  addNumber(app, "--steps", steps, 1, 1'000'000'000, "Steps of each run");
  addNumberFunction<double>(
      app, "--epochs", {0.001, 100'000.0},
      "Instead of --steps, for stored examples: the number of passes over them",
      [this](double passes) { epochs = passes; })
      ->excludes("--steps");
  addNumber(app, "--seeds", seeds, 1, 1000, "Number of seeds, which count from 1");
  addThreadsOption(app, threads);
  app.add_option("--out", out,
                 "Where to save every measurement (.tsv); finished runs are kept in FILE.runs, "
                 "and the same command, also with more --seeds, goes on from them")
      ->type_name("FILE")
      ->required();
  app.add_flag("--force", force,
               "Start over, and replace the table and the finished runs of another study");
  addJsonFlag(app, json);
}

void addExamplesOption(CLI::App& app, StudyOptions& options) {
  options.examples = 1000;
  addNumber(app, "--examples", options.examples, 1, 10'000'000,
            "Number of examples to evaluate each model on");
}

train::StudyConfig StudyOptions::study() const {
  return config.empty()
             ? study(atOption("--preset", [&] { return presetExperiment(preset); }), kCommandLine)
             : study(readExperiment(config), config);
}

train::StudyConfig StudyOptions::study(Experiment experiment, const std::string& source) const {
  experiment.task = task.apply(experiment.task, experiment.model);
  train.apply(experiment.train, experiment.model, experiment.explicit_train);
  const auto made = task.make(*experiment.task);
  data::requireTwoClasses(*made);
  inFile(source, [&] { train::fitToTask(experiment.model, *made); });
  train::StudyConfig study{experiment.model, *experiment.task, experiment.train, {}, steps,
                           examples,         threads};
  if (epochs > 0.0)
    study.steps = data::stepsOfEpochs(*made, train::framingFor(study.model, *made), epochs,
                                      study.train.batch_size);
  if (study.steps == 0)
    throw Error("the task generates its examples, which have no epochs", "--epochs",
                "Give the number of steps with --steps");
  for (std::int64_t seed = 1; seed <= seeds; ++seed) study.seeds.push_back(std::uint64_t(seed));
  return study;
}

std::string seedsText(std::int64_t runs) { return counted(runs, "seed"); }

std::string accuracyText(bool by_position) {
  return by_position ? "position accuracy" : "accuracy";
}

std::string spreadText(const std::string& mean, const std::string& deviation, std::int64_t runs) {
  return runs < 2 ? mean : mean + " +- " + deviation;
}

train::StudyParts madeWith(const StudyOptions& options, const std::string& kind,
                           const train::StudyConfig& study) {
  ContentHash texts;  // hashed, since they may be long
  texts.add(data::toJson(data::withTexts(study.task)));
  train::TrainConfig without_seed = study.train;  // each run has its own seed
  without_seed.seed = 0;
  train::StudyParts parts{{"kind", kind},
                          {"program", programVersion()},
                          {"model", toJson(study.model)},
                          {"task", texts.text()},
                          {"training", train::toJson(without_seed)},
                          {"number of steps", std::to_string(study.steps)},
                          {"number of examples", std::to_string(options.examples)},
                          {"equal amount", std::to_string(int(study.equal))},
                          {"starting weights", study.same_start ? "shared" : "own"}};
  for (const train::StudyArm& arm : study.arms) {
    ContentHash weights;
    if (arm.weights) weights.add(std::as_bytes(std::span(*arm.weights)));
    parts["arm " + std::to_string(&arm - study.arms.data() + 1)] =
        arm.name + "\n" + toJson(arm.model) + "\n" + train::toJson(arm.train) + "\n" +
        arm.granularity + "\n" + weights.text();
  }
  return parts;
}

std::string membersOfReport(const train::MeasuredTable& columns, bool same_start) {
  std::string names;
  for (const std::string& name : columns.columns) names += (names.empty() ? "" : ", ") + name;
  ResultRows<StudyReport> rows = reportRows(names);
  if (!same_start) rows.pop_back();
  return membersOf(rows);
}

int runAndSave(const StudyOptions& options, const data::TaskConfig& task, const StudyJob& study) {
  std::vector<GivenFile> read = options.task.files();
  read.push_back({"--config", options.config});
  requireOtherFiles(read, {{"--out", options.out, kTableEndings}});
  const io::FileLock lock(options.out);
  lock.require();
  io::AtomicFile table(options.out);  // fails now rather than after hours of training
  const auto runs =
      std::make_shared<train::KeptRuns>(options.out + ".runs", study.made_with, options.force);
  requireOwnTable(options, *runs);
  const std::int64_t before = runs->count();
  if (before > 0)
    say("note: resuming from " + runsText(before) + " of this study in " + runs->folder().string());
  const StopSignals signals;
  if (const int signal = fillFeatureCache(task, options.threads, signals).signal; signal != 0)
    return kSignal + signal;
  LongWork work(signals);
  const std::string lines = study.run([&](double share) { return work.goOn(share); }, runs);
  work.clearLine();
  runs->claim();
  table.write(lines);
  table.commit();
  const StudySummary summary = study.summary();
  if (options.json) {
    printJson(jsonOf(reportRows(""),
                     StudyReport{options, std::stoll(study.made_with.at("number of steps")),
                                 work.signal() != 0, summary}));
  } else {
    std::cout << summary.lines << "saved " << options.out << '\n';
  }
  if (!runs->problem().empty()) say("warning: finished runs could not be kept: " + runs->problem());
  if (work.signal() == 0) {
    runs->finish();
    if (before > 0 && runs->count() == before)
      say("note: nothing was trained: all runs of this study were done already; --force trains "
          "them again");
    return kDone;
  }
  const std::int64_t kept = runs->count();
  say("Interrupted: " +
      (kept == 0 ? "no run was finished; the same command starts over"
                 : countedAre(kept, "finished run") + " kept in " + runs->folder().string() +
                       "; the same command goes on from there"));
  return kSignal + work.signal();
}

}  // namespace tfm::cli
