// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/data/example.h"
#include "core/data/joint_vocabulary.h"
#include "core/data/task_config.h"
#include "core/data/tokenizer/tokenizer.h"
#include "core/data/vocabulary.h"

namespace tfm::data {

class TextFeatures;

/// The form of a model's answers.
enum class TaskForm {
  Sequence,    ///< a sequence of any length
  SameLength,  ///< a sequence as long as the question
  Text,        ///< the next character at every position
  Masked,      ///< the tokens that the question hides
  Classes,     ///< one of a few classes
  Numbers,     ///< a row of numbers for each position, or one for the whole question
  None,        ///< no answers: the model ends with its hidden states
};

/// A text as read by a model.
struct Reading {
  Ids ids;
  std::int64_t tokens = 0;   ///< of the whole text, before truncation
  std::int64_t unknown = 0;  ///< of the ids: tokens outside the vocabulary
};

/// What of a text is not read: "only the first 32 of 42 tokens are read; 1 token is not in the
/// vocabulary"; empty if nothing. `kept`: the "first" or "last" of them, at most `longest`.
std::string noticeOf(const Reading& reading, std::int64_t longest, std::string_view kept = "first",
                     std::string_view unit = "tokens");

/// Lengths in tokens.
struct TaskLengths {
  std::int64_t source = 0;  ///< positions a model needs for the question
  std::int64_t target = 0;  ///< positions a model needs for the answer and its final pad
  std::int64_t input = 0;   ///< the longest question
};

/// Numbers that a model reads instead of tokens: each token stands for its own row, drawn
/// from N(0, 1) or given.
struct DrawnFeatures {
  std::int64_t width = 0;  ///< 0: none
  std::int64_t seed = 0;
  /// Those of token 0, then of token 1, and so on; null: drawn.
  std::shared_ptr<const std::vector<double>> given = nullptr;
  /// The row of a token.
  std::vector<double> row(std::int32_t id) const;
};

/// Converts texts to what a model reads, and its answers to texts: vocabularies, tokenizer,
/// lengths. Every task is one (see Task); a model without a task has one of its own, which is
/// enough to use it, to look inside and to grow it.
class TextCodec {
 public:
  /// Characters, none unknown. `name`: the kind of task, or the model. `drawn`: what the model
  /// reads instead of them.
  TextCodec(std::string name, TaskForm form, Vocabulary source, Vocabulary target,
            TaskLengths lengths, DrawnFeatures drawn = {});
  /// Reads questions with a tokenizer, whose vocabulary is also `target` if the answers are texts.
  /// `clean`: after cleanText(). `features`: the frozen encoder
  /// whose features the model reads instead of the tokens, or null. `given`: numbers that it reads
  /// instead.
  TextCodec(std::string name, TaskForm form, std::shared_ptr<const Tokenizer> tokenizer,
            Vocabulary target, TaskLengths lengths, bool clean = false,
            std::shared_ptr<TextFeatures> features = nullptr, DrawnFeatures given = {});
  virtual ~TextCodec() = default;

  /// Parses the output of toJson(); the vocabularies are stored apart. Throws Error naming `where`
  /// and the field.
  static std::shared_ptr<const TextCodec> fromJson(std::string_view json, Vocabulary source,
                                                   Vocabulary target, const std::string& where,
                                                   const std::filesystem::path& folder = {});
  /// Everything but the vocabularies, as a JSON object. `folder`: that of the document which keeps
  /// it (see storedPath()).
  std::string toJson(const std::filesystem::path& folder = {}) const;
  /// This without the examples that a task has.
  std::shared_ptr<const TextCodec> codec() const {
    return std::make_shared<const TextCodec>(*this);
  }

  const std::string& name() const { return name_; }
  TaskForm form() const { return form_; }
  /// The name of the tokenizer; empty: none, characters.
  std::string_view tokenizerName() const;
  /// Tokenizer::rules(); empty without a tokenizer.
  std::string tokenizerRules() const;
  /// Tokens of the answers' vocabulary that end an answer, beside its pad.
  Ids ends() const;
  bool clean() const { return clean_; }
  TextFeatures* features() const { return features_.get(); }
  const DrawnFeatures& drawn() const { return drawn_; }
  /// The width of the features that the model reads, of either kind; 0: it reads tokens.
  std::int64_t featureWidth() const;

  const Vocabulary& sourceVocabulary() const { return source_; }
  /// Classes: the names of the classes.
  const Vocabulary& targetVocabulary() const { return target_; }
  /// The vocabulary for both, for decoder-only models. Empty for classes.
  const JointVocabulary& jointVocabulary() const { return joint_; }
  std::int64_t maxSourceLength() const { return lengths_.source; }
  std::int64_t maxTargetLength() const { return lengths_.target; }
  std::int64_t longestInput() const { return lengths_.input; }

  /// The only right answer to a question (target ids without a pad, the class, or the labels of
  /// all tokens); nullopt if unknown, as without a task, or not unique.
  virtual std::optional<Ids> rightAnswer(std::span<const std::int32_t> question) const;
  /// TaskForm::Numbers: the right answer, row after row; empty if unknown, as without a task.
  virtual std::vector<double> rightNumbers(std::span<const std::int32_t> question) const;
  /// The question as training has it, with its right answer; nullopt if that is unknown.
  /// TaskForm::Text: each next token of the text; the last one has none unless the task has it.
  /// Masked: a text that hides nothing has the tokens hidden that evaluation would hide.
  virtual std::optional<Example> learned(std::span<const std::int32_t> question) const;
  /// The positions of an answer that a loss counts; without a task all.
  virtual LossPositions lossPositions() const { return LossPositions::All; }
  /// The largest error of a number that counts as right.
  virtual double tolerance() const;
  /// Encodes text typed by a user. TaskForm::Text keeps the end of a text that is too long; with a
  /// tokenizer, the start is kept and unknown tokens become the unknown token, as in training.
  /// Otherwise, and where tokens name rows of numbers, throws Error if the text is too long or has
  /// unknown parts. Throws Error if the
  /// text is empty. TaskForm::Masked also reads the names of kMaskToken and the unknown token.
  Reading readInput(std::string_view text) const;
  /// Whether readInput() throws nothing.
  bool canRead(std::string_view text) const;
  Ids encodeInput(std::string_view text) const { return readInput(text).ids; }
  /// The tokens of an answer that a decoder reads, without a pad. Throws Error for what the
  /// vocabulary does not have.
  Ids encodeAnswer(std::string_view text) const;
  /// The ids of a question as text.
  std::string inputText(std::span<const std::int32_t> ids) const;
  /// A message about the parts of a text the model does not see; empty if none. Throws the errors
  /// of readInput().
  std::string inputNotice(std::string_view text) const;
  /// Whether a token of a question is hidden, so that the model is asked for it. None is unless the
  /// form is TaskForm::Masked.
  bool hides(std::int32_t id) const { return id >= 0 && id == mask_; }
  /// An answer (target ids up to the first pad) as text. TaskForm::Masked: without the pads.
  std::string answerText(std::span<const std::int32_t> ids) const;

 protected:
  /// All tokens of a text.
  std::int32_t lineEnd() const;
  Ids tokensOf(std::string_view text) const;
  /// Truncates tokenized text to longestInput() tokens.
  void shorten(Ids& ids) const { tokenizer_->shorten(ids, lengths_.input); }

 private:
  Ids withSpecials(std::string_view text) const;
  /// Whether each token names a row of given numbers (see rowTokens()).
  bool readsRows() const { return tokenizer_ && drawn_.given; }
  void requireRows(std::string_view text) const;

  std::string name_;
  TaskForm form_;
  Vocabulary source_;
  Vocabulary target_;
  JointVocabulary joint_;
  TaskLengths lengths_;
  std::int32_t mask_ = -1;
  std::shared_ptr<const Tokenizer> tokenizer_;  // null: characters, none unknown
  bool clean_ = false;
  std::shared_ptr<TextFeatures> features_;
  DrawnFeatures drawn_;
};

}  // namespace tfm::data
