// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/study_table.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>
#include <utility>

#include "core/base/error.h"

namespace tfm::train {
namespace {

constexpr std::string_view kHeader = "arm\tseed\tstep\tloss\taccuracy\tflops\tseconds\tparameters";
constexpr std::size_t kColumns = 8;

template <class Number>
void add(std::string& text, Number value) {
  std::array<char, 32> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  text.append(digits.data(), end);
}

/// The cells of one line of a study's table, read from the left to the right.
class Line {
 public:
  Line(std::string_view text, std::string place) : rest_(text), place_(std::move(place)) {
    const auto count = std::size_t(std::ranges::count(text, '\t')) + 1;
    if (count != kColumns)
      fail("there are " + std::to_string(count) + " columns instead of " +
           std::to_string(kColumns));
  }

  StudyArm arm() {
    const std::string_view word = next();
    for (const StudyArm arm : {StudyArm::Grown, StudyArm::FromScratch})
      if (word == armName(arm)) return arm;
    fail("arm is neither grown nor from_scratch");
  }
  template <class Number>
  Number number(const char* name, Number least, Number most) {
    const std::string_view word = next();
    Number value{};
    const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (problem != std::errc() || end != word.data() + word.size() ||
        !(value >= least && value <= most))
      fail(std::string(name) + " is not a valid number");
    return value;
  }
  [[noreturn]] void fail(const std::string& problem) const {
    throw Error(problem, place_, "Open a table saved by a growth study");
  }

 private:
  std::string_view next() {
    const std::size_t tab = rest_.find('\t');
    const std::string_view word = rest_.substr(0, tab);
    rest_.remove_prefix(tab == rest_.npos ? rest_.size() : tab + 1);
    return word;
  }

  std::string_view rest_;
  std::string place_;
};

StudyPoint pointOf(Line& line) {
  constexpr std::int64_t kMax = std::int64_t{1} << 53;
  constexpr double kMaxCost = 1e300;
  StudyPoint point;
  point.step = line.number<std::int64_t>("step", 1, kMax);
  point.loss = line.number<double>("loss", 0.0, kMaxCost);
  point.accuracy = line.number<double>("accuracy", 0.0, 1.0);
  point.flops = line.number<double>("flops", 0.0, kMaxCost);
  point.seconds = line.number<double>("seconds", 0.0, kMaxCost);
  point.parameters = line.number<std::int64_t>("parameters", 1, kMax);
  return point;
}

}  // namespace

std::string toTsv(const StudyResult& result) {
  std::string text(kHeader);
  text += '\n';
  for (const StudyRun& run : result.runs)
    for (const StudyPoint& p : run.points) {
      text += armName(run.arm);
      add(text += '\t', run.seed);
      add(text += '\t', p.step);
      for (const double value : {p.loss, p.accuracy, p.flops, p.seconds}) add(text += '\t', value);
      add(text += '\t', p.parameters);
      text += '\n';
    }
  return text;
}

StudyResult studyFromTsv(std::string_view text, const std::string& where) {
  StudyResult result;
  std::set<std::pair<StudyArm, std::uint64_t>> begun;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    std::string_view words = text.substr(0, end);
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
    if (words.ends_with('\r')) words.remove_suffix(1);
    if (number > 1 && words.empty()) continue;
    Line line(words, where + ", line " + std::to_string(number));
    if (number == 1) {
      if (words != kHeader) line.fail("the columns are not those of a growth study");
      continue;
    }
    const StudyArm arm = line.arm();
    const auto seed = line.number<std::uint64_t>("seed", 0, ~std::uint64_t{0});
    const StudyPoint point = pointOf(line);
    if (result.runs.empty() || result.runs.back().arm != arm || result.runs.back().seed != seed) {
      if (!begun.emplace(arm, seed).second) line.fail("the lines of a run are not consecutive");
      result.runs.push_back({arm, seed, {}});
    }
    auto& points = result.runs.back().points;
    if (!points.empty() && point.step <= points.back().step)
      line.fail("the steps of a run do not increase");
    points.push_back(point);
  }
  if (result.runs.empty())
    throw Error("the table has no measurements", where, "Open a table saved by a growth study");
  return result;
}

std::vector<std::int64_t> growthSteps(const StudyResult& result) {
  std::vector<std::int64_t> steps;
  const auto grown =
      std::ranges::find(result.runs, StudyArm::Grown, [](const StudyRun& run) { return run.arm; });
  if (grown == result.runs.end()) return steps;
  for (std::size_t i = 1; i < grown->points.size(); ++i)
    if (grown->points[i].parameters > grown->points[i - 1].parameters)
      steps.push_back(grown->points[i - 1].step);
  return steps;
}

}  // namespace tfm::train
