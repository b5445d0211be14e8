// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/task_fields.h"

#include <algorithm>
#include <limits>
#include <string>

#include "core/data/tokenizer/tokenizer.h"

namespace tfm::data {
namespace {

using Kinds = std::vector<std::string_view>;

struct FieldKinds {
  std::string_view field;
  Kinds kinds;
};

/// Fields that are not here belong to all kinds.
const std::vector<FieldKinds>& table() {
  static const Kinds labelled{"classes", "sentiment"};
  static const Kinds cut{"classes", "sentiment", "masked", "pairs"};  // into tokens
  static const std::vector<FieldKinds> rows{
      {"max_length",
       {"rot13", "copy", "reverse", "sort", "parentheses", "sentiment", "masked", "pairs",
        "classes", "regression"}},
      {"alphabet_size", {"rot13", "copy", "reverse", "sort", "facts"}},
      {"digits", {"addition"}},
      {"fixed_digits", {"addition"}},
      {"context_length", {"text"}},
      {"tokenizer", cut},
      {"vocabulary_size", cut},
      {"vocabulary_path", cut},
      {"clean", {"classes", "sentiment", "masked"}},
      {"by_line", {"text", "masked"}},
      {"mask_rate", {"masked"}},
      {"feature_width", {"regression"}},
      {"target_width", {"regression"}},
      {"feature_seed", {"regression"}},
      {"answers_input", {"regression"}},
      {"header", {"pairs", "classes", "sentiment"}},
      {"label_first", labelled},
      {"held_out",
       {"rot13", "copy", "reverse", "sort", "addition", "parentheses", "sentiment", "text",
        "masked", "pairs", "classes", "regression"}},
      {"loss_positions", {"rot13", "copy", "reverse", "sort", "addition", "pairs"}},
      {"test_path", labelled},
      {"encoder_path", labelled},
  };
  return rows;
}

/// Answers of pairs are written, which not all tokenizers can.
io::ChoiceSlot tokenizerChoice(TaskConfig& task) {
  using enum TokenizerKind;
  Kinds names;
  for (const TokenizerKind kind : {Character, BytePair, Word, WordPiece})
    if (task.kind != "pairs" || canWrite(kind)) names.push_back(tokenizerName(kind));
  return {names,
          [&task, names] { return int(std::ranges::find(names, task.tokenizer) - names.begin()); },
          [&task, names](int choice) { task.tokenizer = names[std::size_t(choice)]; }};
}

/// What max_length counts.
std::string_view lengthMeaning(std::string_view kind) {
  if (kind == "regression") return "Positions of a sequence";
  if (kind == "pairs") return "Maximum length of a question in tokens";
  if (kind == "classes" || kind == "sentiment" || kind == "masked")
    return "Tokens of a text the model sees";
  return "Maximum length of a question in characters";
}

}  // namespace

const Kinds& kindsOf(std::string_view field) {
  static const Kinds all;
  const auto row = std::ranges::find(table(), field, &FieldKinds::field);
  return row == table().end() ? all : row->kinds;
}

bool takesField(std::string_view kind, std::string_view field) {
  const Kinds& kinds = kindsOf(field);
  return kinds.empty() || std::ranges::find(kinds, kind) != kinds.end();
}

std::vector<io::Field> taskFields(TaskConfig& c) {
  using io::IntegerSlot;
  using io::RealSlot;
  using io::SwitchSlot;
  std::vector<io::Field> fields{
      {"digits", "Maximum number of digits", IntegerSlot{&c.digits, 1, 9}},
      {"fixed_digits", "Pad with zeros: 07+12 is 019", SwitchSlot{&c.fixed_digits}},
      {"context_length", "Characters the model sees at once",
       IntegerSlot{&c.context_length, 1, 65536}},
      {"tokenizer", "How texts are split into tokens", tokenizerChoice(c)},
      {"max_length", lengthMeaning(c.kind), IntegerSlot{&c.max_length, 2, 65536}},
      {"vocabulary_size", "Maximum number of tokens learned from the texts",
       IntegerSlot{&c.vocabulary_size, 16, 65536}},
      {"clean", "Keep only a-z, 0-9 and spaces", SwitchSlot{&c.clean}},
      {"feature_width", "Random numbers that the model reads at a position",
       IntegerSlot{&c.feature_width, 1, 1024}},
      {"target_width", "Numbers in its answer at a position",
       IntegerSlot{&c.target_width, 1, 1024}},
      {"feature_seed", "Seed of these numbers",
       IntegerSlot{&c.feature_seed, 0, std::numeric_limits<std::int32_t>::max()}},
      {"answers_input", "The answer repeats the numbers that the model reads",
       SwitchSlot{&c.answers_input}},
      {"alphabet_size", "Number of different letters in the words",
       IntegerSlot{&c.alphabet_size, 2, 26}},
      {"by_line", "Each line is a separate text", SwitchSlot{&c.by_line}},
      {"mask_rate", "Share of the tokens of a text that are hidden",
       RealSlot{&c.mask_rate, 0.01, 0.9, true}},
      {"header", "Whether the first row of the table names its columns",
       io::choice(c.header, {"found", "yes", "no"})},
      {"label_first", "The label is the first column", SwitchSlot{&c.label_first}},
      {"held_out", "Share of examples held out for evaluation",
       RealSlot{&c.held_out, 0.01, 0.5, true}},
      {"loss_positions", "Which positions of the answer the loss counts",
       io::choice(c.loss_positions, {"all", "first_pad"})},
  };
  for (io::Field& field : fields)
    field.applies = [&c, name = field.name] { return takesField(c.kind, name); };
  return fields;
}

}  // namespace tfm::data
