// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace tfm::cli {

// The parser gives some texts a meaning of its own: "[a,b]" is a list to it, "++" ends a verb, and
// "--" works in some places only. Words that are no options are therefore marked before it sees
// them, and every option takes the mark away again.

/// The words behind the program's name, last first as CLI::App::parse() wants them: those that are
/// no options are marked, and so are all behind the first "--" after the verb, which itself is
/// gone.
std::vector<std::string> markedWords(int argc, const char* const* argv);

/// Makes every option of a verb, declared before, read marked words as they were typed.
void readMarkedWords(CLI::App& verb);

/// The text as it was typed; also of a message that quotes words.
std::string withoutMarks(std::string text);

}  // namespace tfm::cli
