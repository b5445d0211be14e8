// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tfm::data {

/// Which answer positions the loss counts.
enum class LossPositions {
  All,       ///< every position, pads included
  FirstPad,  ///< pads after the first do not count: the first one ends the answer and must be
             ///< learnt
};

/// Everything that decides a task's examples. A field that a kind does not use is ignored by it.
struct TaskConfig {
  std::string kind = "rot13";  ///< a name of taskTable()
  /// Positions of a sequence; an answer has one fewer, so that a pad always ends it.
  std::int64_t max_length = 15;
  /// Generated words are made of the first letters of a ... z; facts are about as many people.
  std::int64_t alphabet_size = 26;
  std::int64_t digits = 2;           ///< addition: most digits of a summand
  bool fixed_digits = false;         ///< addition: fill up with zeros, 07+12 -> 019
  std::int64_t context_length = 64;  ///< text: characters that the model sees at once
  /// classes: the label is the first column, else the second; sentiment: else it is found
  bool label_first = false;
  double held_out = 0.1;  ///< share of the examples kept for evaluation
  LossPositions loss_positions = LossPositions::All;
  std::string path;       ///< text, pairs, classes, sentiment: the file; sentiment: or a folder
  std::string text;       ///< the file's content instead of a path, as a document keeps it
  std::string test_path;  ///< classes, sentiment: held-out texts apart; else held_out of the file
  std::string test_text;  ///< their content instead of a path
  /// classes, sentiment: what texts are cut into, a name of tokenizerName()
  std::string tokenizer = "character";
  std::int64_t vocabulary_size = 4000;  ///< most tokens of a learned vocabulary
  std::string vocabulary_path;          ///< a vocab.txt instead of a learned one
  std::string vocabulary;               ///< its lines instead of a path, as a document keeps them
  bool clean = false;                   ///< classes, sentiment: cleanText() first
  /// classes, sentiment: the folder of a frozen encoder that texts go through; its vocab.txt is the
  /// vocabulary
  std::string encoder_path;
  std::string encoder_content;  ///< names what its files must hold, as a document keeps it

  bool operator==(const TaskConfig&) const = default;
};

/// The fields' usual values for a kind. Throws Error for a kind that is not in taskTable().
TaskConfig defaultTaskConfig(std::string_view kind);

/// Throws Error naming the field, its value and what is allowed.
void validate(const TaskConfig& config);

/// All fields as one JSON object.
std::string toJson(const TaskConfig& config);
/// Reads what toJson wrote; a missing field has the kind's usual value. Throws Error for an unknown
/// field, a wrong type or a value that is not allowed.
TaskConfig taskConfigFromJson(std::string_view json);

}  // namespace tfm::data
