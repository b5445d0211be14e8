// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/train/document.h"
#include "core/train/nesting_study.h"
#include "core/train/wiring_study.h"

namespace tfm::train {

/// Everything that determines the runs of a study, by name.
using StudyParts = std::map<std::string, std::string>;

/// The finished runs of a study, in a folder, from which an interrupted study resumes. Run files
/// are written atomically.
class StudyRuns {
 public:
  /// Throws Error naming the part that differs if the folder has runs of another study; `anew`
  /// removes these. The folder is created with the first run.
  StudyRuns(std::filesystem::path folder, StudyParts made_with, bool anew = false);

  const std::filesystem::path& folder() const { return folder_; }
  /// The number of finished runs.
  std::int64_t count() const;
  /// The measurements of a run, if it is finished.
  std::optional<std::string> find(const std::string& run) const;
  /// Keeps a finished run, and its model if other runs need it. Errors are reported by problem().
  void keep(const std::string& run, const std::string& measured, const Document* model = nullptr);
  /// The model kept with a run. Throws Error.
  Document model(const std::string& run) const;
  /// Why a run could not be kept; empty if all were.
  const std::string& problem() const { return problem_; }
  /// Removes the runs and the folder after the study.
  void remove();

 private:
  std::filesystem::path fileOf(const std::string& run) const;

  std::filesystem::path modelOf(const std::string& run) const;

  std::filesystem::path folder_;
  StudyParts made_with_;
  std::string problem_;
};

/// The name of a run, "seed-3-NAME".
std::string runName(std::uint64_t seed, const std::string& name);

/// Converts points to the text of a run and back, losslessly. Throws Error naming `where`.
std::string runText(const std::vector<NestingPoint>& points);
std::string runText(const std::vector<WiringPoint>& points);
std::vector<NestingPoint> nestingPoints(const std::string& text, const std::string& where);
std::vector<WiringPoint> wiringPoints(const std::string& text, const std::string& where);

}  // namespace tfm::train
