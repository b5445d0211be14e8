// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/training_log.h"

#include <cerrno>
#include <iostream>
#include <nlohmann/json.hpp>
#include <system_error>

#include "app/cli/granularity_text.h"
#include "app/cli/output.h"
#include "core/base/error.h"

namespace tfm::cli {

TrainingLog::TrainingLog(const std::filesystem::path& path, const ModelState& state,
                         const matformer::Nesting& nesting)
    : path_(path),
      nesting_(nesting),
      seed_(state.seed),
      granularities_(matformer::granularities(state.config, nesting)),
      last_step_(state.step),
      last_evaluation_(state.step),
      out_(path == "-" ? std::cout : static_cast<std::ostream&>(file_)) {
  if (path == "-") return;
  file_.open(path);
  if (!file_)
    throw Error("cannot write the log: " + std::generic_category().message(errno), path.string(),
                "Choose another place, or - for standard output");
}

void TrainingLog::line(const nlohmann::ordered_json& json) { out_ << json.dump() << '\n'; }

void TrainingLog::writeSteps(const std::vector<train::StepMetrics>& steps) {
  for (const train::StepMetrics& m : steps) {
    if (m.step <= last_step_) continue;
    last_step_ = m.step;
    nlohmann::ordered_json json{{"kind", "step"},
                                {"step", m.step},
                                {"loss", m.loss},
                                {"accuracy", m.accuracy},
                                {"position_accuracy", m.position_accuracy},
                                {"learning_rate", m.learning_rate},
                                {"gradient_norm", m.gradient_norm},
                                {"seconds", m.seconds}};
    if (!granularities_.empty() && nesting_.training == matformer::Training::Sampled)
      json["granularity"] = granularities_[matformer::sampleGranularity(granularities_, seed_,
                                                                        std::uint64_t(m.step - 1))]
                                .name;
    line(json);
  }
}

void TrainingLog::writeEvaluations(const std::vector<train::Evaluation>& evaluations) {
  for (const train::Evaluation& e : evaluations) {
    if (e.step <= last_evaluation_) continue;
    last_evaluation_ = e.step;
    nlohmann::ordered_json json{
        {"kind", "evaluation"},   {"step", e.step},
        {"examples", e.examples}, {"loss", e.loss},
        {"accuracy", e.accuracy}, {"position_accuracy", e.position_accuracy}};
    if (!e.granularities.empty()) json["granularities"] = scoresJson(e.granularities);
    line(json);
  }
}

void TrainingLog::writePast(const train::History& history, std::int64_t begin) {
  last_step_ = last_evaluation_ = begin;
  writeSteps(history.steps);
  writeEvaluations(history.evaluations);
}

void TrainingLog::write(const train::LoopNews& news) {
  if (failed_) return;
  if (news.replaced) {
    // The model has grown: its history contains the measurements before.
    writeSteps(news.replaced->history.steps);
    writeEvaluations(news.replaced->history.evaluations);
    granularities_ = matformer::granularities(news.replaced->config, nesting_);
  }
  writeSteps(news.steps);
  writeEvaluations(news.evaluations);
  out_.flush();
  failed_ = !out_;
  if (failed_) say("The log " + path_.string() + " can no longer be written; training continues.");
}

}  // namespace tfm::cli
