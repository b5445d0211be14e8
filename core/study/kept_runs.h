// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "core/document/document.h"

namespace tfm::train {

/// Everything that determines the runs of a study, by name.
using StudyParts = std::map<std::string, std::string>;

/// The finished runs of a study, in a folder, from which an interrupted study resumes. Run files
/// are written atomically.
class KeptRuns {
 public:
  /// Throws Error naming the part that differs if the folder is of another study; `anew` removes
  /// its runs. The folder is created with the first run, or by claim().
  KeptRuns(std::filesystem::path folder, StudyParts made_with, bool anew = false);

  const std::filesystem::path& folder() const { return folder_; }
  /// Writes which study the folder and the table beside it are of, before any run is finished.
  void claim() {
    write([] {});
  }
  /// Whether that was written, by this study before.
  bool isClaimed() const;
  /// The number of finished runs.
  std::int64_t count() const;
  /// The measurements of a run, if it is finished.
  std::optional<std::string> find(const std::string& run) const;
  /// If it cannot be kept, problem() says why and the study continues.
  void keep(const std::string& run, const std::string& measured);
  /// The same for the model of a run that others are compared with. Call it before keep(); if it
  /// returns false, the run must not be kept.
  bool keepModel(const std::string& run, const Document& model);
  /// The model kept with a run. Throws Error.
  Document model(const std::string& run) const;
  /// Why a run could not be kept; empty if all were.
  const std::string& problem() const { return problem_; }
  /// Removes the models after the study. The runs stay: they say which study the table is of, and
  /// one of more seeds goes on from them.
  void finish();

 private:
  std::filesystem::path fileOf(const std::string& run) const;
  std::filesystem::path modelOf(const std::string& run) const;
  bool write(const std::function<void()>& file);
  void removeFiles(bool models_only);

  std::filesystem::path folder_;
  StudyParts made_with_;
  std::string problem_;
};

/// The name of a run, "seed-3-NAME".
std::string runName(std::uint64_t seed, const std::string& name);

}  // namespace tfm::train
