// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/ask/answering.h"

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

/// What every verb that reads answers says in its help.
inline constexpr const char* kAnswerRule =
    "A decoder reads the right answer if the task knows it, else the one that the model itself\n"
    "writes, without --with; --answer gives another one.\n";

/// Declares --answer TEXT, the answer that is read with a text; as often as --input, or not.
void addAnswerOption(CLI::App& options, std::vector<std::string>& answers);

/// Throws Error unless there are as many answers as texts, or none.
void requireAnswers(const std::vector<std::string>& inputs,
                    const std::vector<std::string>& answers);

/// The texts by this rule, padded to the longest; before changes are put in force. Throws Error at
/// --input and --answer.
std::vector<train::ProbeInput> readTexts(const OpenModel& model,
                                         const std::vector<std::string>& inputs,
                                         const std::vector<std::string>& answers);
/// One text by this rule. `option`, `answer_option`: where they are given; `answer`: null: none.
train::ProbeInput readText(const OpenModel& model, const char* option, const std::string& input,
                           const char* answer_option, const std::string* answer);

/// "output[1, 'u']" with the token's number, "output[1, 20]"; see train::withTokenIndices(). Throws
/// Error at `option`.
std::string withTokenIndices(const OpenModel& model, const char* option, const std::string& name);

/// "right", "own" or "given".
const char* nameOf(train::ReadAnswer read);

/// What was read, as a list of objects, and their members, for --help.
nlohmann::ordered_json jsonOfTexts(const std::vector<train::ProbeInput>& texts);
std::string membersOfTexts();
/// The same of one text, as members of `json`: its answer, tokens and pads.
void addText(nlohmann::ordered_json& json, const train::ProbeInput& text);
std::string membersOfText();

}  // namespace tfm::cli
