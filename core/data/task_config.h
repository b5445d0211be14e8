// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tfm::data {

/// The answer positions included in the loss.
enum class LossPositions {
  All,       ///< all positions, including pads
  FirstPad,  ///< all but the pads after the first one, which ends the answer
};

/// Whether the first row of a table names its columns.
enum class TableHeader {
  Found,  ///< if it looks like names
  Yes,
  No,
};

/// Everything that determines the examples of a task. A kind ignores the fields it does not use.
struct TaskConfig {
  std::string kind = "rot13";  ///< a name of taskTable()
  /// Positions of a sequence; answers are shorter by one for the final pad.
  std::int64_t max_length = 15;
  /// Generated words use this many letters, from a; facts are about this many people.
  std::int64_t alphabet_size = 26;
  std::int64_t digits = 2;           ///< addition: maximum digits of a summand
  bool fixed_digits = false;         ///< addition: zero-pad, 07+12 -> 019
  std::int64_t context_length = 64;  ///< text: characters the model sees at once
  /// The label is the first column; otherwise classes: the second, sentiment: it is found.
  bool label_first = false;
  /// pairs, classes, sentiment: of the files at `path` and `test_path`, not of `text`
  TableHeader header = TableHeader::Found;
  double held_out = 0.1;  ///< share of the examples held out for evaluation
  LossPositions loss_positions = LossPositions::All;
  /// text, masked, pairs, classes, sentiment, regression: a file; sentiment: or a folder
  std::string path;
  std::string text;         ///< the content of the file instead of its path, as in documents
  std::string test_path;    ///< classes, sentiment: a file of test texts, instead of held_out
  std::string test_text;    ///< its content instead of its path
  double mask_rate = 0.15;  ///< masked: share of the tokens of a text that are hidden
  /// text, masked: each line is a text, instead of all windows of the whole
  bool by_line = false;
  /// classes, sentiment, masked, pairs: the tokenizer, see tokenizerName(); pairs: character or bpe
  std::string tokenizer = "character";
  std::int64_t vocabulary_size = 4000;  ///< maximum size of a learned vocabulary
  std::string vocabulary_path;          ///< a vocab.txt instead of a learned one
  std::string vocabulary;               ///< its content instead of its path, as in documents
  /// How that of an encoder reads texts (WordPieceRules as JSON), as in documents; empty: as usual
  std::string tokenizer_rules;
  bool clean = false;  ///< classes, sentiment, masked: apply cleanText()
  /// classes, sentiment: the folder of a frozen encoder for the texts; its vocab.txt is the
  /// vocabulary
  std::string encoder_path;
  std::string encoder_content;  ///< hash that its content must have, as in documents

  std::int64_t feature_width = 4;  ///< regression: generated numbers at a position
  std::int64_t target_width = 4;   ///< regression: generated numbers to answer with
  std::int64_t feature_seed = 0;   ///< regression: of both
  /// regression: the generated numbers themselves are the answer, so the widths are equal
  bool answers_input = false;

  bool operator==(const TaskConfig&) const = default;
};

/// The default config of a kind. Throws Error if it is not in taskTable().
TaskConfig defaultTaskConfig(std::string_view kind);
/// Whether it is of a kind that needs a file, and has neither its path nor its text.
bool lacksFile(const TaskConfig& config);

/// Throws Error naming the first invalid field, its value and the allowed ones.
void validate(const TaskConfig& config);

/// All fields as a JSON object; those added in later versions only where they differ from their
/// default.
std::string toJson(const TaskConfig& config);
/// Parses the output of toJson(); missing fields have the default values of the kind. Throws Error
/// for an unknown field, a wrong type or an invalid value.
TaskConfig taskConfigFromJson(std::string_view json);

}  // namespace tfm::data
