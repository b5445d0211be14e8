// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace tfm::cli {

// The parser interprets some arguments: "[a,b]" is a list, "++" ends a verb, "--lr=" takes the next
// argument, and "--" works only in some places. Arguments that are not options are therefore marked
// before parsing, and every option removes the mark.

/// The arguments of the program in reverse order, as CLI::App::parse() expects them. Those that are
/// not options are marked, as are all after the first "--" after the verb, which is removed.
std::vector<std::string> markedWords(int argc, const char* const* argv);

/// An option as its user writes it: "--learning-rate or --lr"; an argument by its type, "FILE".
std::string nameOf(const CLI::Option& option);

/// Makes all options declared so far remove the marks, and refuse what makes no sense for their
/// type: an empty text except for a TEXT, bytes that are not UTF-8 except for a FILE or FOLDER, and
/// --flag=VALUE other than true and false, of which the parser checks only the last. The Error
/// thrown by parsing is at the option.
void readMarkedWords(CLI::App& verb);

/// Removes the marks from a text, e.g. a message that quotes arguments.
std::string withoutMarks(std::string text);

}  // namespace tfm::cli
