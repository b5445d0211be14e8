// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace tfm {
class Error;
}

namespace tfm::cli {

/// Declares --json.
void addJsonFlag(CLI::App& options, bool& json);

/// One line on standard output. Bytes that are not UTF-8, as a file name may have, become U+FFFD.
void printJson(const nlohmann::ordered_json& json);

/// A message: one line on standard error.
void say(std::string_view text);

/// The place of an error that is on the command line, but of no option alone.
inline constexpr const char* kCommandLine = "command line";
/// Whether something on the command line has to change: the error's place is the command line or an
/// option. Exit code 2, else 1.
bool isWrongUse(const Error& error);

/// An error with its place and hint on standard error.
void complain(const Error& error);
/// The same as one JSON object on standard output: {"error": {"what", "where", "hint"}}.
void printJsonError(const Error& error);

/// "1,234,567".
std::string withCommas(std::int64_t number);
/// `value` with `digits` significant digits.
std::string shortNumber(double value, int digits = 4);
/// "98.5 %".
std::string percent(double share);

}  // namespace tfm::cli
