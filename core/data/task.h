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

/// What kind of answer a task wants.
enum class TaskForm {
  Sequence,    ///< a sequence of any length
  SameLength,  ///< a sequence as long as the question
  Text,        ///< the next character at every position
  Classes,     ///< one of a few classes
};

/// A question and its answer, unpadded. Text: a window and the same window one character later.
/// Classes: the answer is one id, the class.
struct Example {
  Ids source;
  Ids target;
  bool operator==(const Example&) const = default;
};

/// An example in words, to show.
struct Sample {
  std::string source;
  std::string target;
  bool operator==(const Sample&) const = default;
};

/// A text as a model reads it.
struct Reading {
  Ids ids;
  std::int64_t tokens = 0;   ///< of the whole text; those after the longest input are cut off
  std::int64_t unknown = 0;  ///< of the ids: tokens that the vocabulary does not hold
};

/// Lengths in tokens.
struct TaskLengths {
  std::int64_t source = 0;  ///< positions a model needs for the question
  std::int64_t target = 0;  ///< positions a model needs for the answer, its ending pad included
  std::int64_t input = 0;   ///< the longest question that is asked
};

/// Something to learn: endless or stored examples, in two sides that never meet (see Split).
class Task {
 public:
  virtual ~Task() = default;

  /// The frozen encoder that questions go through before a model reads them, as features and not as
  /// tokens; nullptr: none.
  virtual TextFeatures* features() const { return nullptr; }

  const TaskConfig& config() const { return config_; }
  TaskForm form() const { return form_; }
  const std::string& name() const { return config_.kind; }
  /// One sentence: what it is trying to do.
  std::string_view sentence() const;
  bool lengthPreserving() const { return form_ == TaskForm::SameLength; }

  const Vocabulary& sourceVocabulary() const { return source_; }
  /// Classes: the names of the classes.
  const Vocabulary& targetVocabulary() const { return target_; }
  /// Both sides in one, for a decoder-only model. Empty for classes.
  const JointVocabulary& jointVocabulary() const { return joint_; }
  std::int64_t maxSourceLength() const { return lengths_.source; }
  std::int64_t maxTargetLength() const { return lengths_.target; }
  std::int64_t longestInput() const { return lengths_.input; }

  /// Example number `index` (>= 0) of a side: a pure function of its arguments. Stored training
  /// examples come in epochs, each in its own order; stored evaluation examples in a fixed order,
  /// repeated.
  virtual Example example(Split split, std::uint64_t seed, std::uint64_t index) const = 0;
  /// How many different examples a side has; 0 when they are made as needed.
  virtual std::int64_t exampleCount(Split split) const;
  /// Whether evaluation asks for more than what was trained on. False where there is no rule to be
  /// found, and all that counts is what is remembered.
  virtual bool holdsOut() const { return true; }
  /// The one right answer to a question (target ids without a pad); none where the task does not
  /// know it, or where there are several.
  virtual std::optional<Ids> rightAnswer(std::span<const std::int32_t> question) const;
  /// How many examples of the file are left out, because they are too long or nothing is in them.
  virtual std::int64_t leftOut() const;
  /// How many examples of a side are cut to maxSourceLength().
  virtual std::int64_t cutExamples(Split split) const;
  /// The question of an example as a user would type it.
  virtual std::string questionText(Split split, std::uint64_t seed, std::uint64_t index) const;

  /// A real training example in words.
  Sample sample(std::uint64_t index) const;
  /// What a user typed. Of a text to go on from that is too long the end is read. A task with a
  /// tokenizer cuts what is too long and has a token for what is unknown, as in its training.
  /// Throws Error for nothing, else for too much and unknown characters.
  Reading readInput(std::string_view text) const;
  Ids encodeInput(std::string_view text) const { return readInput(text).ids; }
  /// What of a text the model does not see, in words; empty where it sees all. readInput()'s
  /// errors.
  std::string inputNotice(std::string_view text) const;
  /// An answer (target ids, ended by the first pad) in words.
  std::string answerText(std::span<const std::int32_t> ids) const;

 protected:
  Task(TaskConfig config, TaskForm form, Vocabulary source, Vocabulary target, TaskLengths lengths);
  /// Reads its questions with a tokenizer.
  Task(TaskConfig config, TaskForm form, std::unique_ptr<const Tokenizer> tokenizer,
       Vocabulary target, TaskLengths lengths);

  /// All tokens of a text.
  Ids tokensOf(std::string_view text) const;
  /// Cuts off what a tokenizer's text has more than longestInput() tokens.
  void shorten(Ids& ids) const { tokenizer_->shorten(ids, lengths_.input); }

 private:
  TaskConfig config_;
  TaskForm form_;
  Vocabulary source_;
  Vocabulary target_;
  JointVocabulary joint_;
  TaskLengths lengths_;
  std::unique_ptr<const Tokenizer> tokenizer_;  // null: character by character, nothing unknown
};

}  // namespace tfm::data
