// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/regression_task.h"

#include <array>
#include <cmath>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/data/corpus.h"
#include "core/data/generated_task.h"
#include "core/data/number_table.h"
#include "core/data/permutation.h"
#include "core/data/tokenizer/tokenizer.h"
#include "core/tensor/random.h"
#include "core/tensor/random_streams.h"

namespace tfm::data {
namespace {

constexpr double kToleratedShare = 0.1;  // of the targets' standard deviation

/// The numbers of an answer by their place.
Vocabulary answerPlaces(std::int64_t width) {
  std::vector<std::string> names;
  for (std::int64_t i = 1; i <= width; ++i) names.push_back(std::to_string(i));
  return {std::move(names), {}};
}

class DrawnRegression final : public GeneratedTask {
 public:
  explicit DrawnRegression(const TaskConfig& c)
      : GeneratedTask(c, TaskForm::Numbers, Vocabulary::annotated(), answerPlaces(c.target_width),
                      {.source = c.max_length, .target = c.max_length, .input = c.max_length},
                      {.width = c.feature_width, .seed = c.feature_seed, .given = nullptr}),
        maps_{drawnMap(c, 0), drawnMap(c, 1)} {
    if (c.answers_input && c.target_width != c.feature_width)
      throw Error("target_width is " + std::to_string(c.target_width) + ", but " +
                      std::to_string(c.feature_width) + " numbers are read",
                  "task.answers_input", "Choose equal widths, or other answers than the input");
  }

  std::vector<double> rightNumbers(std::span<const std::int32_t> question) const override {
    const auto width = std::size_t(config().feature_width);
    std::vector<std::vector<double>> rows;
    std::vector<double> mean(width);
    for (const std::int32_t id : question) {
      rows.push_back(drawn().row(id));
      for (std::size_t i = 0; i < width; ++i) mean[i] += rows.back()[i] / double(question.size());
    }
    std::vector<double> answer;
    if (config().answers_input) {
      for (const std::vector<double>& own : rows)
        answer.insert(answer.end(), own.begin(), own.end());
      return answer;
    }
    for (const std::vector<double>& own : rows)
      for (std::int64_t j = 0; j < config().target_width; ++j)
        answer.push_back(std::sqrt(0.5) *
                         (mapped(maps_[0], own, j) +
                          std::sqrt(double(question.size())) * mapped(maps_[1], mean, j)));
    return answer;
  }

  std::string rightAnswerText(Split split, std::uint64_t seed, std::uint64_t index) const override {
    return numberRowsText(rightNumbers(example(split, seed, index).source), config().target_width);
  }

  bool hasHeldOutExamples() const override { return space() >= kSmallestDivided; }

 private:
  static constexpr std::int64_t kLetters = 26;

  double space() const { return std::pow(double(kLetters), double(config().max_length)); }

  /// Target_width x feature_width; components have the variance of the numbers that it maps.
  static std::vector<double> drawnMap(const TaskConfig& c, std::uint64_t which) {
    const Random random(std::uint64_t(c.feature_seed), streams::kRegression.first, which);
    std::vector<double> map(std::size_t(c.target_width * c.feature_width));
    for (std::size_t i = 0; i < map.size(); ++i)
      map[i] = random.normal(i) / std::sqrt(double(c.feature_width));
    return map;
  }

  static double mapped(const std::vector<double>& map, const std::vector<double>& row,
                       std::int64_t to) {
    return std::inner_product(row.begin(), row.end(), map.begin() + to * std::ssize(row), 0.0);
  }

  Draw draw(const Draws& draws) const override {
    Ids word(static_cast<std::size_t>(config().max_length));
    for (std::size_t i = 0; i < word.size(); ++i)
      word[i] = static_cast<std::int32_t>(draws.content(i, kLetters));
    return {.source = std::move(word), .key = {}, .space = space()};
  }

  Ids solve(const Ids&) const override { return {}; }

  std::array<std::vector<double>, 2> maps_;  // of a position, of the mean
};

double standardDeviation(const std::vector<double>& numbers) {
  double mean = 0.0, squares = 0.0;
  for (const double x : numbers) mean += x / double(numbers.size());
  for (const double x : numbers) squares += (x - mean) * (x - mean) / double(numbers.size());
  return std::sqrt(squares);
}

class StoredRegression final : public Task {
 public:
  StoredRegression(const TaskConfig& config, NumberTable table)
      : Task(config, TaskForm::Numbers, rowTokens(table), answerPlaces(table.target_width),
             {.source = table.positions, .target = table.answers(), .input = table.positions},
             nullptr, rowsOf(table)),
        table_(std::move(table)),
        tolerance_(kToleratedShare * standardDeviation(table_.targets)) {
    std::vector<std::uint64_t> hashes;
    for (std::int64_t s = 0; s < table_.sequences; ++s) hashes.push_back(inputHash(s));
    const std::set<std::uint64_t> different(hashes.begin(), hashes.end());
    if (different.size() < 2)
      throw Error("there are fewer than two different sequences", corpusName(config),
                  "Give more sequences: some are held out for evaluation");
    const std::uint64_t first_trained = firstTrainedHash(different, config.held_out);
    for (std::size_t s = 0; s < hashes.size(); ++s)
      (hashes[s] < first_trained ? evaluation_ : training_).push_back(std::int64_t(s));
  }

  Example example(Split split, std::uint64_t seed, std::uint64_t index) const override {
    const std::vector<std::int64_t>& side = of(split);
    const std::int64_t number = storedNumber(split, std::ssize(side), seed, index);
    const std::int64_t first = side[std::size_t(number)] * table_.positions;
    Example example;
    for (std::int64_t p = 0; p < table_.positions; ++p)
      example.source.push_back(std::int32_t(kFirstRow + first + p));
    return example;
  }

  std::int64_t exampleCount(Split split) const override { return std::ssize(of(split)); }

  /// Of a sequence of the table.
  std::vector<double> rightNumbers(std::span<const std::int32_t> question) const override {
    if (std::ssize(question) != table_.positions) return {};
    const std::int64_t first = question.front() - kFirstRow;
    if (first < 0 || first % table_.positions != 0) return {};
    for (std::size_t p = 0; p < question.size(); ++p)
      if (question[p] != question.front() + std::int32_t(p)) return {};
    const std::int64_t size = table_.answers() * table_.target_width;
    const auto begin = table_.targets.begin() + first / table_.positions * size;
    return {begin, begin + size};
  }

  double tolerance() const override { return tolerance_; }

  std::string rightAnswerText(Split split, std::uint64_t seed, std::uint64_t index) const override {
    return numberRowsText(rightNumbers(example(split, seed, index).source), table_.target_width);
  }

 private:
  const std::vector<std::int64_t>& of(Split split) const {
    return split == Split::Training ? training_ : evaluation_;
  }

  std::uint64_t inputHash(std::int64_t sequence) const {
    const auto size = std::size_t(table_.positions * table_.input_width);
    const auto own = std::span(table_.inputs).subspan(std::size_t(sequence) * size, size);
    return stableHash(
        std::string_view(reinterpret_cast<const char*>(own.data()), own.size_bytes()));
  }

  NumberTable table_;
  double tolerance_;
  std::vector<std::int64_t> training_, evaluation_;  // numbers of sequences
};

}  // namespace

std::unique_ptr<Task> makeRegression(const TaskConfig& config) {
  if (config.path.empty() && config.text.empty()) return std::make_unique<DrawnRegression>(config);
  return std::make_unique<StoredRegression>(
      config,
      parseNumberTable(readCorpus(config).text, corpusName(config), true, ReadingRules::Kept));
}

}  // namespace tfm::data
