// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "core/train/document.h"

namespace tfm::train {

/// Everything that the runs of a study follow from, by its name.
using StudyParts = std::map<std::string, std::string>;

/// The finished runs of a study, in a folder: what the study goes on from after it was stopped,
/// however that happened. Each run is a file that is there whole or not at all.
class StudyRuns {
 public:
  /// Throws Error naming the part that differs, where the folder has runs of another study; `anew`
  /// removes these. The folder is made for the first run that is kept.
  StudyRuns(std::filesystem::path folder, StudyParts made_with, bool anew = false);

  const std::filesystem::path& folder() const { return folder_; }
  /// How many runs there are.
  std::int64_t count() const;
  /// What a run has measured; nothing where it is not finished.
  std::optional<std::string> find(const std::string& run) const;
  /// Where it cannot be kept, problem() says so and the study goes on.
  void keep(const std::string& run, const std::string& measured);
  /// The same of a run's model, if others are compared with that: before the run, which is worth
  /// nothing if this returns false.
  bool keepModel(const std::string& run, const Document& model);
  /// The model that a kept run came with. Throws Error.
  Document model(const std::string& run) const;
  /// Why a run could not be kept; empty: all were.
  const std::string& problem() const { return problem_; }
  /// Removes the folder: the study is done.
  void remove();

 private:
  std::filesystem::path fileOf(const std::string& run) const;
  std::filesystem::path modelOf(const std::string& run) const;
  bool write(const std::function<void()>& file);

  std::filesystem::path folder_;
  StudyParts made_with_;
  std::string problem_;
};

/// "seed-3-NAME": the run of a seed.
std::string runName(std::uint64_t seed, const std::string& name);

}  // namespace tfm::train
