// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/training_log.h"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <iostream>
#include <system_error>

#include "app/cli/granularity_text.h"
#include "app/cli/growth_json.h"
#include "app/cli/output.h"
#include "app/cli/result_rows.h"
#include "core/base/content_hash.h"
#include "core/base/error.h"
#include "core/data/self_contained.h"
#include "core/data/task_table.h"
#include "core/expand/change.h"
#include "core/io/atomic_file.h"
#include "core/io/file_descriptor.h"
#include "core/io/read_file.h"

namespace tfm::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMaxLogBytes = std::uint64_t{1} << 34;

/// Of one step, growths come last: they happen after its evaluation.
enum class Order { Run, Step, Evaluation, Growth };

std::vector<std::string_view> linesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

/// A named pipe, opened: with a reader, opening it once more does not wait. Throws Error if nobody
/// reads it. Of any other file: none.
io::FileDescriptor readPipe(const fs::path& path) {
  std::error_code problem;
  if (!fs::is_fifo(path, problem)) return io::FileDescriptor(-1);
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0 && errno == ENXIO)
    throw Error("nobody reads this pipe", path.string(), "Start its reader first, or name a file");
  return io::FileDescriptor(descriptor);
}

/// The part of a log from before that belongs to the run.
struct FormerLog {
  std::string kept;          ///< its lines up to the step that training goes on from
  std::int64_t dropped = 0;  ///< lines of later steps
  std::int64_t first_step = 0, last_step = -1, last_evaluation = -1;
  std::set<std::int64_t> growths;
  bool has_run = false;  ///< the line of the run
  bool is_of_run = false;
};

/// Whether the history has a step with this loss.
bool hasStep(const train::History& history, std::int64_t step, const nlohmann::json& loss) {
  const auto found = std::ranges::lower_bound(history.steps, step, {}, &train::StepMetrics::step);
  return found != history.steps.end() && found->step == step && loss == found->loss;
}

bool hasGrowth(const train::History& history, std::int64_t step) {
  return std::ranges::any_of(history.events, [&](const train::HistoryEvent& event) {
    return event.kind == train::EventKind::Growth && event.step == step;
  });
}

/// Reads what there is. It is of the run if it has its line, or if its steps are those of the
/// document's history.
FormerLog formerLog(std::string_view text, const std::string& run, const train::Document& now) {
  FormerLog log;
  bool same = true, has_run = false, has_steps = false;
  for (const std::string_view line : linesOf(text)) {
    const auto json = nlohmann::json::parse(line, nullptr, false);
    const bool whole = line.ends_with('\n');
    if (!whole) {  // the program was killed while it wrote this
      ++log.dropped;
      break;
    }
    if (!json.is_object() || !json.contains("kind") || !json.contains("step") ||
        !json["kind"].is_string() || !json["step"].is_number_integer())
      return {};
    const auto step = json["step"].get<std::int64_t>();
    const std::string kind = json["kind"];
    has_run |= kind == "run" && json.value("run", nlohmann::json()) == run;
    const bool is_later = step > now.state.step || (kind == "growth" && step == now.state.step &&
                                                    !hasGrowth(now.history, step));
    if (is_later) {
      ++log.dropped;
      continue;
    }
    if (kind == "step") {
      same = same && hasStep(now.history, step, json.value("loss", nlohmann::json()));
      if (!std::exchange(has_steps, true)) log.first_step = step;
      log.last_step = std::max(log.last_step, step);
    } else if (kind == "evaluation") {
      log.last_evaluation = std::max(log.last_evaluation, step);
    } else if (kind == "growth") {
      log.growths.insert(step);
    } else if (kind == "run") {
      log.has_run |= json.value("run", nlohmann::json()) == run;
    } else {
      return {};
    }
    log.kept += line;
  }
  log.is_of_run = has_run || (has_steps && same);
  return log;
}

}  // namespace

struct TrainingLog::Line {
  std::int64_t step = 0;
  Order order = Order::Step;
  Json json;
};

RunStart startOf(const train::Document& document, const train::TrainConfig& config) {
  train::TrainConfig training = config;
  training.seed = document.state.seed;
  ContentHash hash;
  if (document.task) hash.add(data::toJson(data::withTexts(*document.task)));
  for (const std::string& part : {toJson(document.state.config), train::toJson(training),
                                  std::to_string(document.state.step)})
    hash.add(part + "\n");
  hash.add(std::as_bytes(std::span(document.state.parameters)));
  return {hash.text(), document.state.config, document.state.step};
}

TrainingLog::TrainingLog(const fs::path& path, const RunStart& start, const train::Document& now,
                         const train::TrainConfig& config, bool force)
    : path_(path),
      start_(start),
      config_(config),
      seed_(now.state.seed),
      form_(data::findTask(now.task->kind).form),
      granularities_(matformer::granularities(now.state.config, config.nesting)),
      last_step_(start.step),
      last_evaluation_(start.step),
      out_(path == "-" ? std::cout : static_cast<std::ostream&>(file_)) {
  if (path != "-") {
    std::error_code unknown;
    if (fs::is_regular_file(path, unknown) && fs::file_size(path, unknown) > 0)
      takeFormer(now, force);
    const io::FileDescriptor pipe = readPipe(path);
    file_.open(path, std::ios::app);
    if (!file_)
      throw Error("cannot write the log: " + std::generic_category().message(errno), path.string(),
                  "Choose another place, or - for standard output");
  }
  Lines past;
  addSteps(now.history.steps, past);
  addEvaluations(now.history.evaluations, past);
  ModelConfig model = start_.model;
  std::set<std::int64_t> steps;
  for (const train::ScheduledGrowth& growth : config_.growths)
    if (growth.step >= start_.step && growth.step < now.state.step) steps.insert(growth.step);
  for (const std::int64_t step : steps) {
    if (!growths_.contains(step)) addGrowths(model, step, past);
    model = expand::outlineGrowths(model, train::growthsAt(config_, step), step).back().after;
  }
  put(std::move(past));
}

TrainingLog::~TrainingLog() = default;

void TrainingLog::takeFormer(const train::Document& now, bool force) {
  const FormerLog former = formerLog(io::readFile(path_, kMaxLogBytes), start_.run, now);
  if (!former.is_of_run) {
    if (!force)
      throw Error("there is a file that is no log of this run, which --log would replace",
                  path_.string(), "Choose another --log, or replace it with --force");
    return io::writeFile(path_, "");
  }
  if (former.dropped > 0) io::writeFile(path_, former.kept);
  if (former.last_step >= 0) {
    if (former.last_step < config_.stop.steps || former.dropped > 0)
      say("note: " + path_.string() + " goes on after step " + withCommas(former.last_step) +
          (former.dropped > 0 ? "; " + counted(former.dropped, "line") +
                                    " of later steps, which are trained again, are dropped"
                              : ""));
    last_step_ = former.last_step;
    last_evaluation_ = std::max(former.last_evaluation, former.first_step - 1);
  }
  growths_ = former.growths;
  has_run_ = former.has_run;
}

void TrainingLog::addSteps(const std::vector<train::StepMetrics>& steps, Lines& lines) {
  for (const train::StepMetrics& m : steps) {
    if (m.step <= last_step_) continue;
    last_step_ = m.step;
    Json json{{"kind", "step"},
              {"step", m.step},
              {"loss", m.loss},
              {"accuracy", m.accuracy},
              {"position_accuracy", m.position_accuracy},
              {"learning_rate", m.learning_rate},
              {"gradient_norm", m.gradient_norm},
              {"seconds", m.seconds}};
    if (!granularities_.empty() && config_.nesting.training == matformer::Training::Sampled)
      json["granularity"] = granularities_[matformer::sampleGranularity(granularities_, seed_,
                                                                        std::uint64_t(m.step - 1))]
                                .name;
    lines.push_back({m.step, Order::Step, std::move(json)});
  }
}

void TrainingLog::addEvaluations(const std::vector<train::Evaluation>& evaluations, Lines& lines) {
  for (const train::Evaluation& e : evaluations) {
    if (e.step <= last_evaluation_) continue;
    last_evaluation_ = e.step;
    Json json{{"kind", "evaluation"},   {"step", e.step},
              {"examples", e.examples}, {"loss", e.loss},
              {"accuracy", e.accuracy}, {"position_accuracy", e.position_accuracy}};
    if (!e.granularities.empty()) json["granularities"] = scoresJson(e.granularities, form_);
    lines.push_back({e.step, Order::Evaluation, std::move(json)});
  }
}

/// The growths that are scheduled for a step, at which the model is `model`.
void TrainingLog::addGrowths(const ModelConfig& model, std::int64_t step, Lines& lines) const {
  for (const expand::Change& change :
       expand::planGrowths(model, train::growthsAt(config_, step), step)) {
    Json json{{"kind", "growth"}, {"step", step}};
    json.update(jsonOf(growthRows(), change));
    json["parameters"] = growthLogJson(change);
    lines.push_back({step, Order::Growth, std::move(json)});
  }
}

void TrainingLog::put(Lines lines) {
  if (lines.empty()) return;
  if (!std::exchange(has_run_, true))
    lines.push_back(
        {start_.step,
         Order::Run,
         {{"kind", "run"}, {"step", start_.step}, {"seed", seed_}, {"run", start_.run}}});
  std::ranges::stable_sort(lines, [](const Line& a, const Line& b) {
    return std::pair(a.step, a.order) < std::pair(b.step, b.order);
  });
  for (const Line& line : lines) out_ << line.json.dump() << '\n';
}

void TrainingLog::write(const train::LoopNews& news) {
  if (failed_) return;
  Lines lines;
  if (news.replaced) {
    // The model has grown: its history contains the measurements before.
    addSteps(news.replaced->history.steps, lines);
    addEvaluations(news.replaced->history.evaluations, lines);
    granularities_ = matformer::granularities(news.replaced->config, config_.nesting);
  }
  for (const train::ScheduledChange& change : news.changes) {
    const ModelState& before = *change.before->state;
    addGrowths(before.config, before.step, lines);
  }
  addSteps(news.steps, lines);
  addEvaluations(news.evaluations, lines);
  put(std::move(lines));
  out_.flush();
  failed_ = !out_;
  if (failed_) say("The log " + path_.string() + " can no longer be written; training continues.");
}

}  // namespace tfm::cli
