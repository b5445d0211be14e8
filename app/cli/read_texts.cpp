// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/read_texts.h"

#include <CLI/App.hpp>
#include <nlohmann/json.hpp>

#include "app/cli/at_option.h"
#include "app/cli/open_model.h"
#include "app/cli/output.h"
#include "core/ask/probe_batch.h"
#include "core/ask/row_tokens.h"
#include "core/base/error.h"
#include "core/io/message_text.h"

namespace tfm::cli {

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

nlohmann::ordered_json jsonOfTexts(const std::vector<train::ProbeInput>& texts) {
  auto list = nlohmann::ordered_json::array();
  for (const train::ProbeInput& text : texts) {
    nlohmann::ordered_json json{{"input", text.question},
                                {"answer", text.answer},
                                {"answer_is", nameOf(text.read)},
                                {"source_tokens", text.source_labels},
                                {"decoder_tokens", text.decoder_labels}};
    if (!text.batch.source.empty()) json["source_ids"] = text.batch.source;
    if (!text.batch.target.empty()) json["decoder_ids"] = text.batch.target;
    json["source_pads"] = text.source_pads;
    json["decoder_pads"] = text.decoder_pads;
    list.push_back(std::move(json));
  }
  return list;
}

}  // namespace tfm::cli
