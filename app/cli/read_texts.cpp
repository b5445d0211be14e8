// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/read_texts.h"

#include <CLI/App.hpp>

#include "app/cli/at_option.h"
#include "app/cli/open_model.h"
#include "app/cli/output.h"
#include "app/cli/result_rows.h"
#include "core/ask/probe_batch.h"
#include "core/ask/row_tokens.h"
#include "core/base/error.h"
#include "core/io/message_text.h"

namespace tfm::cli {
namespace {

/// What was read of a text; `one_of_many`: also which, with its ids.
ResultRows<train::ProbeInput> textRows(bool one_of_many) {
  using Text = train::ProbeInput;
  const auto ids = [](const auto& list) { return list.empty() ? Json() : Json(list); };
  ResultRows<Text> rows;
  if (one_of_many) rows.push_back(row<Text>("input", &Text::question));
  rows.push_back(row<Text>("answer", &Text::answer));
  rows.push_back(row<Text>(
      "answer_is", [](const Text& text) { return nameOf(text.read); }, "right, own or given"));
  rows.push_back(row<Text>("source_tokens", &Text::source_labels));
  rows.push_back(row<Text>("decoder_tokens", &Text::decoder_labels));
  if (one_of_many) {
    rows.push_back(
        row<Text>("source_ids", [ids](const Text& text) { return ids(text.batch.source); }));
    rows.push_back(
        row<Text>("decoder_ids", [ids](const Text& text) { return ids(text.batch.target); }));
  }
  rows.push_back(row<Text>("source_pads", &Text::source_pads));
  rows.push_back(row<Text>("decoder_pads", &Text::decoder_pads));
  return rows;
}

}  // namespace

void addInputOption(CLI::App& options, std::vector<std::string>& inputs) {
  options
      .add_option("--input", inputs,
                  "The text the model reads; repeat it for several in one padded batch")
      ->type_name("TEXT")
      ->required()
      ->allow_extra_args(false);
}

void sayNotice(const std::string& notice, const std::string& text) {
  constexpr std::size_t kLongestShown = 60;
  if (!notice.empty()) say("note: " + notice + ": " + io::shortened(text, kLongestShown));
}

void sayWhatIsNotRead(const data::TextCodec& codec, const std::string& text,
                      const std::string& place) {
  sayNotice(atOption(place, [&] { return codec.inputNotice(text); }), text);
}

void addAnswerOption(CLI::App& options, std::vector<std::string>& answers) {
  options
      .add_option("--answer", answers,
                  "The answer that is read with the text, instead of the right one or the model's; "
                  "as often as --input")
      ->type_name("TEXT")
      ->allow_extra_args(false);
}

std::string withTokenIndices(const OpenModel& model, const char* option, const std::string& name) {
  return train::withTokenIndices(name, model.document.state, *model.codec, model.framing, option);
}

const char* nameOf(train::ReadAnswer read) {
  switch (read) {
    case train::ReadAnswer::Own:
      return "own";
    case train::ReadAnswer::Right:
      return "right";
    case train::ReadAnswer::Given:
      break;
  }
  return "given";
}

train::ProbeInput readText(const OpenModel& model, const char* option, const std::string& input,
                           const char* answer_option, const std::string* answer) {
  sayWhatIsNotRead(*model.codec, input, option);
  return atOption(answer != nullptr ? answer_option : option, [&] {
    return train::probeInput(
        model.document.state, *model.codec, model.framing, input, *model.backend,
        answer != nullptr ? train::ReadAnswer::Given : train::ReadAnswer::Right, nullptr,
        answer != nullptr ? *answer : std::string());
  });
}

void requireAnswers(const std::vector<std::string>& inputs,
                    const std::vector<std::string>& answers) {
  if (!answers.empty() && answers.size() != inputs.size())
    throw Error(std::to_string(inputs.size()) + (inputs.size() == 1 ? " text" : " texts") +
                    " and " + std::to_string(answers.size()) +
                    (answers.size() == 1 ? " answer" : " answers") + " are given",
                "--answer", "Give it as often as --input, or not at all");
}

std::vector<train::ProbeInput> readTexts(const OpenModel& model,
                                         const std::vector<std::string>& inputs,
                                         const std::vector<std::string>& answers) {
  requireAnswers(inputs, answers);
  std::vector<train::ProbeInput> texts;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    texts.push_back(
        readText(model, "--input", inputs[i], "--answer", answers.empty() ? nullptr : &answers[i]));
  train::padToLongest(texts, *model.codec, model.framing);
  return texts;
}

Json jsonOfTexts(const std::vector<train::ProbeInput>& texts) {
  Json list = Json::array();
  for (const train::ProbeInput& text : texts) list.push_back(jsonOf(textRows(true), text));
  return list;
}

std::string membersOfTexts() { return membersOf(textRows(true)); }

void addText(Json& json, const train::ProbeInput& text) {
  json.update(jsonOf(textRows(false), text));
}

std::string membersOfText() { return membersOf(textRows(false)); }

}  // namespace tfm::cli
