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
