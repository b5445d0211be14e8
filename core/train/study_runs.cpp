// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/study_runs.h"

#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

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

template <class Point, class Read>
std::vector<Point> pointsFrom(const std::string& text, const std::string& where, Read read) {
  const json list = io::parseJson(text, where);
  std::vector<Point> points;
  try {
    for (const json& one : list) points.push_back(read(one));
  } catch (const json::exception& problem) {
    throw Error("this is not a finished run: " + std::string(problem.what()), where,
                "Remove the file to repeat the run");
  }
  return points;
}

}  // namespace

StudyRuns::StudyRuns(fs::path folder, StudyParts made_with, bool anew)
    : folder_(std::move(folder)), made_with_(std::move(made_with)) {
  if (anew) remove();
  std::error_code problem;
  const fs::path study = folder_ / kStudyFile;
  if (!fs::exists(study, problem)) return;
  const json found = io::parseJson(io::readTextFile(study, kMaxBytes), study.string());
  if (const std::string part = difference(found, made_with_); !part.empty())
    throw Error("the finished runs here are of another study: its " + part + " differs",
                folder_.string(),
                "Use the same options to resume it, or start over with --force or another --out");
}

std::int64_t StudyRuns::count() const {
  std::error_code problem;
  std::int64_t runs = 0;
  for (const auto& entry : fs::directory_iterator(folder_, problem))
    if (entry.path().extension() == kRunEnding) ++runs;
  return runs;
}

fs::path StudyRuns::fileOf(const std::string& run) const { return folder_ / (run + kRunEnding); }

fs::path StudyRuns::modelOf(const std::string& run) const {
  return folder_ / (run + ".safetensors");
}

std::optional<std::string> StudyRuns::find(const std::string& run) const {
  std::error_code problem;
  if (!fs::exists(fileOf(run), problem)) return std::nullopt;
  return io::readTextFile(fileOf(run), kMaxBytes);
}

void StudyRuns::keep(const std::string& run, const std::string& measured, const Document* model) {
  try {
    std::error_code problem;
    fs::create_directory(folder_, problem);  // writing reports errors
    io::writeFile(folder_ / kStudyFile, json(made_with_).dump(2) + "\n");
    if (model != nullptr) saveDocument(modelOf(run), *model);
    io::writeFile(fileOf(run), measured);  // last, as it marks the run as finished
  } catch (const Error& problem) {
    if (problem_.empty()) problem_ = problem.what();
  }
}

Document StudyRuns::model(const std::string& run) const { return openDocument(modelOf(run)); }

void StudyRuns::remove() {
  // Only files of a study: the folder may contain others.
  std::error_code problem;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder_, problem)) {
    const fs::path& file = entry.path();
    if (file.extension() == kRunEnding || file.extension() == ".safetensors" ||
        file.filename() == kStudyFile)
      files.push_back(file);
  }
  for (const fs::path& file : files) fs::remove(file, problem);
  io::sweepLeftovers(folder_);
  fs::remove(folder_, problem);
}

std::string runName(std::uint64_t seed, const std::string& name) {
  return "seed-" + std::to_string(seed) + "-" + name;
}

std::string runText(const std::vector<NestingPoint>& points) {
  json list = json::array();
  for (const NestingPoint& p : points)
    list.push_back({{"seed", p.seed},
                    {"name", p.name},
                    {"separate", p.separate},
                    {"widths", p.score.submodel.widths},
                    {"heads", p.score.submodel.heads},
                    {"parameters", p.score.cost.parameters},
                    {"flops", p.score.cost.flops},
                    {"examples", p.score.examples},
                    {"right", p.score.answers.right},
                    {"answers", p.score.answers.all},
                    {"loss", p.score.loss},
                    {"agreement", p.score.agreement},
                    {"divergence", p.score.divergence},
                    {"milliseconds", p.score.milliseconds},
                    {"seconds", p.seconds}});
  return list.dump(1) + "\n";
}

std::vector<NestingPoint> nestingPoints(const std::string& text, const std::string& where) {
  return pointsFrom<NestingPoint>(text, where, [](const json& one) {
    NestingPoint p;
    one.at("seed").get_to(p.seed);
    one.at("name").get_to(p.name);
    one.at("separate").get_to(p.separate);
    one.at("widths").get_to(p.score.submodel.widths);
    one.at("heads").get_to(p.score.submodel.heads);
    one.at("parameters").get_to(p.score.cost.parameters);
    one.at("flops").get_to(p.score.cost.flops);
    one.at("examples").get_to(p.score.examples);
    one.at("right").get_to(p.score.answers.right);
    one.at("answers").get_to(p.score.answers.all);
    one.at("loss").get_to(p.score.loss);
    one.at("agreement").get_to(p.score.agreement);
    one.at("divergence").get_to(p.score.divergence);
    one.at("milliseconds").get_to(p.score.milliseconds);
    one.at("seconds").get_to(p.seconds);
    return p;
  });
}

std::string runText(const std::vector<WiringPoint>& points) {
  json list = json::array();
  for (const WiringPoint& p : points)
    list.push_back({{"seed", p.seed},
                    {"notebook", p.notebook},
                    {"name", p.name},
                    {"width", p.width},
                    {"parameters", p.parameters},
                    {"examples", p.examples},
                    {"shuffled", p.shuffled},
                    {"by_label", p.by_label},
                    {"alone", p.alone},
                    {"reloaded", p.reloaded},
                    {"changed", p.changed}});
  return list.dump(1) + "\n";
}

std::vector<WiringPoint> wiringPoints(const std::string& text, const std::string& where) {
  return pointsFrom<WiringPoint>(text, where, [](const json& one) {
    WiringPoint p;
    one.at("seed").get_to(p.seed);
    one.at("notebook").get_to(p.notebook);
    one.at("name").get_to(p.name);
    one.at("width").get_to(p.width);
    one.at("parameters").get_to(p.parameters);
    one.at("examples").get_to(p.examples);
    one.at("shuffled").get_to(p.shuffled);
    one.at("by_label").get_to(p.by_label);
    one.at("alone").get_to(p.alone);
    one.at("reloaded").get_to(p.reloaded);
    one.at("changed").get_to(p.changed);
    return p;
  });
}

}  // namespace tfm::train
