// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/kept_runs.h"

#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/io/atomic_file.h"
#include "core/io/file_lock.h"
#include "core/io/json_guard.h"
#include "core/io/text_file.h"

namespace tfm::train {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 30;
constexpr const char* kStudyFile = "study.json";
constexpr const char* kRunEnding = ".run";

/// The name of the first part that differs, or empty.
std::string difference(const json& found, const StudyParts& wanted) {
  for (const auto& [part, value] : wanted)
    if (!found.is_object() || !found.contains(part) || found[part] != value) return part;
  return {};
}

}  // namespace

KeptRuns::KeptRuns(fs::path folder, StudyParts made_with, bool anew)
    : folder_(std::move(folder)), made_with_(std::move(made_with)) {
  if (anew) removeFiles(false);
  std::error_code problem;
  const fs::path study = folder_ / kStudyFile;
  if (!fs::exists(study, problem)) return;
  const json found = io::parseJson(io::readTextFile(study, kMaxBytes), study.string());
  if (const std::string part = difference(found, made_with_); !part.empty())
    throw Error("the finished runs here are of another study: its " + part + " differs",
                folder_.string(),
                "Use the same options to go on with it, or replace it and its table with --force, "
                "or choose another --out");
}

bool KeptRuns::isClaimed() const {
  std::error_code problem;
  return fs::exists(folder_ / kStudyFile, problem);
}

std::int64_t KeptRuns::count() const {
  std::error_code problem;
  std::int64_t runs = 0;
  for (const auto& entry : fs::directory_iterator(folder_, problem))
    if (entry.path().extension() == kRunEnding) ++runs;
  return runs;
}

fs::path KeptRuns::fileOf(const std::string& run) const { return folder_ / (run + kRunEnding); }

fs::path KeptRuns::modelOf(const std::string& run) const {
  return folder_ / (run + ".safetensors");
}

std::optional<std::string> KeptRuns::find(const std::string& run) const {
  std::error_code problem;
  if (!fs::exists(fileOf(run), problem)) return std::nullopt;
  return io::readTextFile(fileOf(run), kMaxBytes);
}

bool KeptRuns::write(const std::function<void()>& file) {
  try {
    std::error_code problem;
    fs::create_directory(folder_, problem);  // writing reports errors
    io::writeFile(folder_ / kStudyFile, json(made_with_).dump(2) + "\n");
    file();
    return true;
  } catch (const Error& problem) {
    if (problem_.empty()) problem_ = problem.what();
    return false;
  }
}

void KeptRuns::keep(const std::string& run, const std::string& measured) {
  write([&] { io::writeFile(fileOf(run), measured); });
}

bool KeptRuns::keepModel(const std::string& run, const Document& model) {
  return write([&] { saveDocument(modelOf(run), model); });
}

Document KeptRuns::model(const std::string& run) const { return openDocument(modelOf(run)); }

void KeptRuns::finish() { removeFiles(true); }

void KeptRuns::removeFiles(bool models_only) {
  // Only files of a study: the folder may contain others.
  std::error_code problem;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder_, problem)) {
    const fs::path& file = entry.path();
    const bool is_run = file.extension() == kRunEnding || file.filename() == kStudyFile;
    if (file.extension() == ".safetensors" || (is_run && !models_only)) files.push_back(file);
  }
  for (const fs::path& file : files) fs::remove(file, problem);
  io::sweepLeftovers(folder_);
  if (!models_only) fs::remove(folder_, problem);
}

std::string runName(std::uint64_t seed, const std::string& name) {
  return "seed-" + std::to_string(seed) + "-" + name;
}

}  // namespace tfm::train
