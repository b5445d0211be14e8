// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/task_statistics.h"

#include <algorithm>
#include <string>

#include "core/base/error.h"
#include "core/data/corpus.h"
#include "core/io/message_text.h"

namespace tfm::data {
namespace {

constexpr std::int64_t kMaxBins = 16;
constexpr std::uint64_t kSeed = 0;

std::vector<LengthBin> emptyBins(std::int64_t longest) {
  const std::int64_t width = (longest + kMaxBins - 1) / kMaxBins;
  std::vector<LengthBin> bins;
  for (std::int64_t first = 1; first <= longest; first += width)
    bins.push_back({first, std::min(first + width - 1, longest), 0});
  return bins;
}

void count(const Task& task, const Example& example, SideStatistics& side) {
  const auto length = static_cast<std::int64_t>(example.source.size());
  const std::int64_t width = side.lengths.front().last;
  if (!side.classes.empty()) ++side.classes[static_cast<std::size_t>(example.target.front())];
  side.tokens += length;
  if (const std::int32_t unknown = task.sourceVocabulary().unknown(); unknown >= 0)
    side.unknown += std::count(example.source.begin(), example.source.end(), unknown);
  side.shortest = side.examples == 0 ? length : std::min(side.shortest, length);
  side.longest = std::max(side.longest, length);
  ++side.lengths[static_cast<std::size_t>((std::max<std::int64_t>(length, 1) - 1) / width)].count;
  ++side.examples;
}

SideStatistics sideOf(const Task& task, Split split, std::int64_t max_count) {
  SideStatistics side;
  side.cut = task.cutExamples(split);
  side.lengths = emptyBins(task.maxSourceLength());
  if (task.form() == TaskForm::Classes)
    side.classes.resize(static_cast<std::size_t>(task.targetVocabulary().size()));
  const std::int64_t stored = task.exampleCount(split);
  const std::int64_t looked_at = stored == 0 ? max_count : stored;
  if (task.form() == TaskForm::Text) {  // its windows, one for each character, are all alike
    count(task, task.example(split, kSeed, 0), side);
    side.tokens *= looked_at;
    for (LengthBin& bin : side.lengths) bin.count *= looked_at;
    side.examples = looked_at;
    return side;
  }
  for (std::int64_t i = 0; i < looked_at; ++i)
    count(task, task.example(split, kSeed, static_cast<std::uint64_t>(i)), side);
  return side;
}

std::vector<Sample> samplesOf(const Task& task, std::int64_t looked_at, std::int64_t each) {
  const bool classes = task.form() == TaskForm::Classes;
  std::vector<std::int64_t> wanted(
      classes ? static_cast<std::size_t>(task.targetVocabulary().size()) : 1, each);
  std::vector<Sample> samples;
  for (std::int64_t i = 0; i < looked_at; ++i) {
    if (std::ranges::count(wanted, 0) == std::ssize(wanted)) break;
    const auto index = static_cast<std::uint64_t>(i);
    const Example example = task.example(Split::Training, kSeed, index);
    std::int64_t& left = wanted[classes ? static_cast<std::size_t>(example.target.front()) : 0];
    if (left == 0) continue;
    --left;
    samples.push_back(task.sample(index));
  }
  return samples;
}

}  // namespace

TaskStatistics statisticsOf(const Task& task, std::int64_t max_count, std::int64_t samples) {
  TaskStatistics statistics{sideOf(task, Split::Training, max_count),
                            sideOf(task, Split::Evaluation, max_count),
                            task.leftOut(),
                            {}};
  statistics.samples = samplesOf(task, statistics.training.examples, samples);
  return statistics;
}

void requireTwoClasses(const Task& task) {
  const std::int64_t stored = task.exampleCount(Split::Training);
  if (task.form() != TaskForm::Classes || stored == 0) return;
  const Ids first = task.example(Split::Training, kSeed, 0).target;
  for (std::int64_t i = 1; i < stored; ++i)
    if (task.example(Split::Training, kSeed, static_cast<std::uint64_t>(i)).target != first) return;
  throw Error("all " + std::to_string(stored) + " training examples have the class " +
                  io::inQuotes(task.targetVocabulary().token(first.front())) +
                  ": those of other classes are held out or cannot be read",
              corpusName(task.config()),
              "Add texts of the other classes, or choose a separate test file");
}

}  // namespace tfm::data
