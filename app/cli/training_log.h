// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <fstream>
#include <nlohmann/json_fwd.hpp>

#include "core/train/training_loop.h"

namespace tfm::cli {

/// Measurements as JSON lines while they are made: {"kind": "step" or "evaluation", ...}.
class TrainingLog {
 public:
  /// "-": standard output. Throws Error where the file cannot be written.
  explicit TrainingLog(const std::filesystem::path& path);

  /// A log that can no longer be written is told once and does not stop training.
  void write(const train::LoopNews& news);

 private:
  void line(const nlohmann::ordered_json& json);

  std::filesystem::path path_;
  std::ofstream file_;
  std::ostream& out_;
  bool failed_ = false;
};

}  // namespace tfm::cli
