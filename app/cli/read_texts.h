// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/train/answering.h"

namespace CLI {
class App;
}

namespace tfm::cli {

struct OpenModel;

/// Says which parts of a text the model does not see. Throws Error with this place if it cannot
/// read the text.
void sayWhatIsNotRead(const data::TextCodec& codec, const std::string& text,
                      const std::string& place);
/// Says a notice about a text, unless it is empty.
void sayNotice(const std::string& notice, const std::string& text);

/// Declares --input TEXT, the texts that the model reads; repeatable.
void addInputOption(CLI::App& options, std::vector<std::string>& inputs);

/// The texts, padded to the longest. Throws Error at --input.
std::vector<train::ProbeInput> readTexts(const OpenModel& model,
                                         const std::vector<std::string>& inputs,
                                         train::ReadAnswer read = train::ReadAnswer::Own);

/// [{input, answer, source_tokens, decoder_tokens, source_ids, decoder_ids, source_pads,
/// decoder_pads}].
nlohmann::ordered_json jsonOfTexts(const std::vector<train::ProbeInput>& texts);

}  // namespace tfm::cli
