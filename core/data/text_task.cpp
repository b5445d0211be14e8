// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/text_task.h"

#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/check.h"
#include "core/base/error.h"
#include "core/data/corpus.h"
#include "core/data/permutation.h"
#include "core/data/task.h"

namespace tfm::data {
namespace {

/// Windows of equal size over parts of a text, numbered consecutively.
class Windows {
 public:
  Windows(std::int64_t size, std::int64_t stride) : size_(size), stride_(stride) {}

  void addPart(std::int64_t begin, std::int64_t end) {
    if (end - begin < size_) return;
    begins_.push_back(begin);
    count_ += (end - begin - size_) / stride_ + 1;
    ends_.push_back(count_);
  }
  std::int64_t count() const { return count_; }
  /// The start of window `number` in the text.
  std::int64_t begin(std::int64_t number) const {
    const auto part = std::upper_bound(ends_.begin(), ends_.end(), number) - ends_.begin();
    const std::int64_t before = part == 0 ? 0 : ends_[static_cast<std::size_t>(part) - 1];
    return begins_[static_cast<std::size_t>(part)] + (number - before) * stride_;
  }

 private:
  std::int64_t size_;
  std::int64_t stride_;
  std::int64_t count_ = 0;
  std::vector<std::int64_t> begins_;  // of each part, in the text
  std::vector<std::int64_t> ends_;    // number of windows up to and including each part
};

class TextTask final : public Task {
 public:
  TextTask(const TaskConfig& config, const std::string& text, const Vocabulary& vocabulary)
      : Task(config, TaskForm::Text, vocabulary, vocabulary,
             {.source = config.context_length,
              .target = config.context_length,
              .input = config.context_length}),
        text_(vocabulary.encode(text)),
        // Evaluation predicts each character once: windows overlap by the first character, which is
        // only read.
        training_(config.context_length + 1, 1),
        evaluation_(config.context_length + 1, config.context_length) {
    const auto length = static_cast<std::int64_t>(text_.size());
    const std::int64_t window = config.context_length + 1;
    if (length < 2 * window)
      throw Error("the text has " + std::to_string(length) + " characters; a context_length of " +
                      std::to_string(config.context_length) + " needs at least " +
                      std::to_string(2 * window),
                  corpusName(config), "Choose a longer text or a smaller context_length.");
    divide(length, window);
  }

  Example example(Split split, std::uint64_t seed, std::uint64_t index) const override {
    const Windows& windows = split == Split::Training ? training_ : evaluation_;
    const std::int64_t number = storedNumber(split, windows.count(), seed, index);
    const auto first = text_.begin() + windows.begin(number);
    const std::int64_t context = config().context_length;
    return {Ids(first, first + context), Ids(first + 1, first + 1 + context)};
  }

  std::int64_t exampleCount(Split split) const override {
    return split == Split::Training ? training_.count() : evaluation_.count();
  }

  /// A whole window has a label everywhere if the text goes on in one way where it stands.
  std::optional<Example> learned(std::span<const std::int32_t> question) const override {
    std::optional<Example> example = Task::learned(question);
    if (std::ssize(question) != config().context_length) return example;
    std::optional<std::int32_t> next;
    for (auto at = text_.begin();; ++at) {
      at = std::search(at, text_.end() - 1, question.begin(), question.end());
      if (std::distance(at, text_.end()) <= std::ssize(question)) break;
      const std::int32_t after = at[std::ssize(question)];
      if (next && *next != after) return example;
      next = after;
    }
    if (!next) return example;
    Ids target(question.begin() + 1, question.end());
    target.push_back(*next);
    return Example{Ids(question.begin(), question.end()), std::move(target)};
  }

 private:
  /// Up to ten stretches, each long enough for a window on both sides.
  void divide(std::int64_t length, std::int64_t window) {
    constexpr std::int64_t kMaxStretches = 10;
    const auto held_out =
        static_cast<std::int64_t>(config().held_out * static_cast<double>(length));
    const std::int64_t stretches = std::clamp<std::int64_t>(held_out / window, 1, kMaxStretches);
    for (std::int64_t i = 0; i < stretches; ++i) {
      const std::int64_t begin = length * i / stretches;
      const std::int64_t end = length * (i + 1) / stretches;
      const std::int64_t evaluation = end - std::max(held_out / stretches, window);
      training_.addPart(begin, evaluation);
      evaluation_.addPart(evaluation, end);
    }
    check(training_.count() > 0 && evaluation_.count() > 0,
          "the text must have windows on both sides");
  }

  Ids text_;
  Windows training_;
  Windows evaluation_;
};

constexpr std::string_view kLineEnd = "\n";

class LineTask final : public Task {
 public:
  LineTask(const TaskConfig& config, const std::vector<std::string>& lines,
           const Vocabulary& vocabulary)
      : Task(config, TaskForm::Text, vocabulary, vocabulary,
             {.source = config.context_length,
              .target = config.context_length,
              .input = config.context_length}) {
    std::set<std::uint64_t> hashes;
    for (const std::string& line : lines) hashes.insert(stableHash(line));
    if (hashes.size() < 2)
      throw Error("there are no two different lines", corpusName(config),
                  "Choose a text with several lines, or all windows of it.");
    const std::uint64_t first = firstTrainedHash(hashes, config.held_out);
    for (const std::string& line : lines) {
      Ids ids{vocabulary.start()};
      const Ids characters = vocabulary.encode(line);
      ids.insert(ids.end(), characters.begin(), characters.end());
      ids.push_back(vocabulary.start());
      const Split side = stableHash(line) < first ? Split::Evaluation : Split::Training;
      const auto longest = std::size_t(config.context_length) + 1;
      if (ids.size() > longest) {
        ids.resize(longest);
        ++(side == Split::Training ? cut_ : cut_held_out_);
      }
      (side == Split::Training ? training_ : evaluation_).push_back(std::move(ids));
    }
  }

  Example example(Split split, std::uint64_t seed, std::uint64_t index) const override {
    const Ids& line = of(split)[std::size_t(storedNumber(split, exampleCount(split), seed, index))];
    return {Ids(line.begin(), line.end() - 1), Ids(line.begin() + 1, line.end())};
  }
  std::int64_t exampleCount(Split split) const override { return std::ssize(of(split)); }
  std::int64_t cutExamples(Split split) const override {
    return split == Split::Training ? cut_ : cut_held_out_;
  }

 private:
  const std::vector<Ids>& of(Split split) const {
    return split == Split::Training ? training_ : evaluation_;
  }

  std::vector<Ids> training_, evaluation_;  // from one end of a line to the next
  std::int64_t cut_ = 0, cut_held_out_ = 0;
};

}  // namespace

std::unique_ptr<Task> makeText(const TaskConfig& config) {
  const std::string text = readCorpus(config).text;
  if (config.by_line) {
    std::vector<std::string> lines = linesOf(text);
    std::erase(lines, std::string());
    std::vector<std::string> characters = charactersOf(lines);
    characters.emplace_back(kLineEnd);
    const auto end = std::int32_t(characters.size()) - 1;
    return std::make_unique<LineTask>(config, lines,
                                      Vocabulary(std::move(characters), {.start = end}));
  }
  return std::make_unique<TextTask>(config, text, Vocabulary(charactersOf({&text, 1}), {}));
}

}  // namespace tfm::data
