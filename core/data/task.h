// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "core/data/reading_note.h"
#include "core/data/split.h"
#include "core/data/task_config.h"
#include "core/data/text_codec.h"

namespace tfm::data {

/// An example as text, for display.
struct Sample {
  std::string source;
  std::string target;
  bool operator==(const Sample&) const = default;
};

/// A learning task: generated or stored examples on two disjoint sides (see Split), and how a model
/// reads and answers them.
class Task : public TextCodec {
 public:
  const TaskConfig& config() const { return config_; }
  /// What was assumed when its files were read; empty for texts of the config.
  const ReadingNotes& notes() const { return notes_; }
  void setNotes(ReadingNotes notes) { notes_ = std::move(notes); }
  LossPositions lossPositions() const override { return config_.loss_positions; }
  /// One sentence that describes the task.
  std::string_view description() const;

  /// Example `index` (>= 0) of a side: a pure function of its arguments. Stored training examples
  /// are shuffled for each epoch; stored evaluation examples repeat in a fixed order.
  virtual Example example(Split split, std::uint64_t seed, std::uint64_t index) const = 0;
  /// The number of different examples of a side; 0 if they are generated.
  virtual std::int64_t exampleCount(Split split) const;
  /// Whether evaluation uses examples held out from training. False if there is no rule to learn,
  /// only facts to remember.
  virtual bool hasHeldOutExamples() const { return true; }
  /// The number of examples in the file that are skipped because they are too long or empty.
  virtual std::int64_t leftOut() const;
  /// The number of examples of a side truncated to maxSourceLength().
  virtual std::int64_t cutExamples(Split split) const;
  /// The question of an example as a user would type it.
  virtual std::string questionText(Split split, std::uint64_t seed, std::uint64_t index) const;
  /// Its answer as in the file, where the vocabulary may lack parts of it.
  virtual std::string rightAnswerText(Split split, std::uint64_t seed, std::uint64_t index) const;

  /// A training example as text.
  Sample sample(std::uint64_t index) const;

 protected:
  Task(TaskConfig config, TaskForm form, Vocabulary source, Vocabulary target, TaskLengths lengths,
       DrawnFeatures drawn = {});
  /// A task that reads its questions with a tokenizer; see TextCodec.
  Task(TaskConfig config, TaskForm form, std::unique_ptr<const Tokenizer> tokenizer,
       Vocabulary target, TaskLengths lengths, std::shared_ptr<TextFeatures> features = nullptr,
       DrawnFeatures given = {});

 private:
  TaskConfig config_;
  ReadingNotes notes_;
};

/// The answer that all examples with this question have; nullopt if there are none or several.
std::optional<Ids> onlyAnswer(std::span<const Example> examples,
                              std::span<const std::int32_t> question);

}  // namespace tfm::data
