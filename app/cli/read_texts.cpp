// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/read_texts.h"

#include <CLI/App.hpp>
#include <nlohmann/json.hpp>

#include "app/cli/at_option.h"
#include "app/cli/open_model.h"
#include "app/cli/output.h"
#include "core/io/message_text.h"
#include "core/train/probe_batch.h"

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

std::vector<train::ProbeInput> readTexts(const OpenModel& model,
                                         const std::vector<std::string>& inputs,
                                         train::ReadAnswer read) {
  for (const std::string& text : inputs) sayWhatIsNotRead(*model.codec, text, "--input");
  std::vector<train::ProbeInput> texts;
  for (const std::string& text : inputs)
    texts.push_back(atOption("--input", [&] {
      return train::probeInput(model.document.state, *model.codec, model.framing, text,
                               *model.backend, read);
    }));
  train::padToLongest(texts, *model.codec, model.framing);
  return texts;
}

nlohmann::ordered_json jsonOfTexts(const std::vector<train::ProbeInput>& texts) {
  auto list = nlohmann::ordered_json::array();
  for (const train::ProbeInput& text : texts) {
    nlohmann::ordered_json json{{"input", text.question},
                                {"answer", text.answer},
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
