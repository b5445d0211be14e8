// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/read_texts.h"

#include <CLI/App.hpp>
#include <nlohmann/json.hpp>

#include "app/cli/at_option.h"
#include "app/cli/open_model.h"
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

std::vector<train::ProbeInput> readTexts(const OpenModel& model,
                                         const std::vector<std::string>& inputs,
                                         train::ReadAnswer read) {
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
