// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/data/joint_vocabulary.h"
#include "core/data/split.h"
#include "core/data/task_config.h"
#include "core/data/tokenizer/tokenizer.h"
#include "core/data/vocabulary.h"

namespace tfm::data {

class TextFeatures;

/// The form of a task's answers.
enum class TaskForm {
  Sequence,    ///< a sequence of any length
  SameLength,  ///< a sequence as long as the question
  Text,        ///< the next character at every position
  Classes,     ///< one of a few classes
};

/// A question and its answer, unpadded. Text: a window and the same window shifted by one
/// character. Classes: the answer is the id of the class.
struct Example {
  Ids source;
  Ids target;
  bool operator==(const Example&) const = default;
};

/// An example as text, for display.
struct Sample {
  std::string source;
  std::string target;
  bool operator==(const Sample&) const = default;
};

/// A text as read by a model.
struct Reading {
  Ids ids;
  std::int64_t tokens = 0;   ///< of the whole text, before truncation
  std::int64_t unknown = 0;  ///< of the ids: tokens outside the vocabulary
};

/// Lengths in tokens.
struct TaskLengths {
  std::int64_t source = 0;  ///< positions a model needs for the question
  std::int64_t target = 0;  ///< positions a model needs for the answer and its final pad
  std::int64_t input = 0;   ///< the longest question
};

/// A learning task: generated or stored examples on two disjoint sides (see Split).
class Task {
 public:
  virtual ~Task() = default;

  /// The frozen encoder whose features the model reads instead of the question's tokens, or
  /// nullptr.
  virtual TextFeatures* features() const { return nullptr; }

  const TaskConfig& config() const { return config_; }
  TaskForm form() const { return form_; }
  const std::string& name() const { return config_.kind; }
  /// One sentence that describes the task.
  std::string_view description() const;
  bool lengthPreserving() const { return form_ == TaskForm::SameLength; }

  const Vocabulary& sourceVocabulary() const { return source_; }
  /// Classes: the names of the classes.
  const Vocabulary& targetVocabulary() const { return target_; }
  /// The vocabulary for both, for decoder-only models. Empty for classes.
  const JointVocabulary& jointVocabulary() const { return joint_; }
  std::int64_t maxSourceLength() const { return lengths_.source; }
  std::int64_t maxTargetLength() const { return lengths_.target; }
  std::int64_t longestInput() const { return lengths_.input; }

  /// Example `index` (>= 0) of a side: a pure function of its arguments. Stored training examples
  /// are shuffled for each epoch; stored evaluation examples repeat in a fixed order.
  virtual Example example(Split split, std::uint64_t seed, std::uint64_t index) const = 0;
  /// The number of different examples of a side; 0 if they are generated.
  virtual std::int64_t exampleCount(Split split) const;
  /// Whether evaluation uses examples held out from training. False if there is no rule to learn,
  /// only facts to remember.
  virtual bool hasHeldOutExamples() const { return true; }
  /// The only right answer to a question (target ids without a pad); nullopt if unknown or not
  /// unique.
  virtual std::optional<Ids> rightAnswer(std::span<const std::int32_t> question) const;
  /// The number of examples in the file that are skipped because they are too long or empty.
  virtual std::int64_t leftOut() const;
  /// The number of examples of a side truncated to maxSourceLength().
  virtual std::int64_t cutExamples(Split split) const;
  /// The question of an example as a user would type it.
  virtual std::string questionText(Split split, std::uint64_t seed, std::uint64_t index) const;

  /// A training example as text.
  Sample sample(std::uint64_t index) const;
  /// Encodes text typed by a user. TaskForm::Text keeps the end of a text that is too long; with a
  /// tokenizer, the start is kept and unknown tokens become the unknown token, as in training.
  /// Otherwise, throws Error if the text is too long or has unknown characters. Throws Error if the
  /// text is empty.
  Reading readInput(std::string_view text) const;
  Ids encodeInput(std::string_view text) const { return readInput(text).ids; }
  /// A message about the parts of a text the model does not see; empty if none. Throws the errors
  /// of readInput().
  std::string inputNotice(std::string_view text) const;
  /// An answer (target ids up to the first pad) as text.
  std::string answerText(std::span<const std::int32_t> ids) const;

 protected:
  Task(TaskConfig config, TaskForm form, Vocabulary source, Vocabulary target, TaskLengths lengths);
  /// A task that reads its questions with a tokenizer.
  Task(TaskConfig config, TaskForm form, std::unique_ptr<const Tokenizer> tokenizer,
       Vocabulary target, TaskLengths lengths);

  /// All tokens of a text.
  Ids tokensOf(std::string_view text) const;
  /// Truncates tokenized text to longestInput() tokens.
  void shorten(Ids& ids) const { tokenizer_->shorten(ids, lengths_.input); }

 private:
  TaskConfig config_;
  TaskForm form_;
  Vocabulary source_;
  Vocabulary target_;
  JointVocabulary joint_;
  TaskLengths lengths_;
  std::unique_ptr<const Tokenizer> tokenizer_;  // null: characters, none unknown
};

}  // namespace tfm::data
