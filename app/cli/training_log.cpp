// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/training_log.h"

#include <cerrno>
#include <iostream>
#include <nlohmann/json.hpp>
#include <system_error>

#include "app/cli/output.h"
#include "core/base/error.h"

namespace tfm::cli {

TrainingLog::TrainingLog(const std::filesystem::path& path)
    : path_(path), out_(path == "-" ? std::cout : static_cast<std::ostream&>(file_)) {
  if (path == "-") return;
  file_.open(path);
  if (!file_)
    throw Error("cannot write the log: " + std::generic_category().message(errno), path.string(),
                "Choose another place, or - for standard output");
}

void TrainingLog::line(const nlohmann::ordered_json& json) { out_ << json.dump() << '\n'; }

void TrainingLog::write(const train::LoopNews& news) {
  if (failed_) return;
  for (const train::StepMetrics& m : news.steps)
    line({{"kind", "step"},
          {"step", m.step},
          {"loss", m.loss},
          {"accuracy", m.accuracy},
          {"position_accuracy", m.position_accuracy},
          {"learning_rate", m.learning_rate},
          {"gradient_norm", m.gradient_norm},
          {"seconds", m.seconds}});
  for (const train::Evaluation& e : news.evaluations)
    line({{"kind", "evaluation"},
          {"step", e.step},
          {"examples", e.examples},
          {"loss", e.loss},
          {"accuracy", e.accuracy},
          {"position_accuracy", e.position_accuracy}});
  out_.flush();
  failed_ = !out_;
  if (failed_) say("The log " + path_.string() + " can no longer be written; training goes on.");
}

}  // namespace tfm::cli
