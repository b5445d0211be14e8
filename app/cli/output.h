// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <iosfwd>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace tfm {
class Error;
}

namespace tfm::cli {

/// While it lives, all that is written to a stream passes io::plainText(), so that no text of a
/// document can command the terminal. main() has one for each of the standard streams, whether they
/// are terminals or not: pipes lead to terminals, too. Programs read --json, where escapes stand
/// for the same text, or files.
class PlainStream {
 public:
  explicit PlainStream(std::ostream& stream);
  ~PlainStream();
  PlainStream(const PlainStream&) = delete;
  PlainStream& operator=(const PlainStream&) = delete;

 private:
  class Buffer;
  std::ostream& stream_;
  std::unique_ptr<Buffer> buffer_;
};

/// Whether messages are shown on a terminal, so that progress can be shown there.
bool showsProgress();
/// Replaces the line of the terminal that messages are shown on, if they are; see showsProgress().
/// An empty text clears it.
void showProgress(std::string_view text);

/// Declares --json.
void addJsonFlag(CLI::App& options, bool& json);

/// Prints one line on standard output. Bytes that are not UTF-8, e.g. in file names, become U+FFFD.
void printJson(const nlohmann::ordered_json& json);

/// Prints a message: one line on standard error.
void say(std::string_view text);

/// The place of an error on the command line that is not about a single option.
inline constexpr const char* kCommandLine = "command line";
/// Whether the place of an error is the command line or an option: exit code 2 instead of 1.
bool isUsageError(const Error& error);

/// Prints an error with its place and hint on standard error.
void printError(const Error& error);
/// Prints it as one JSON object on standard output: {"error": {"what", "where", "hint"}}.
void printJsonError(const Error& error);

/// Prints rows of cells in columns as wide as their widest cell, on standard output.
void printColumns(const std::vector<std::vector<std::string>>& rows);

/// "1,234,567".
std::string withCommas(std::int64_t number);
/// "1 run", "1,234 runs".
std::string counted(std::int64_t count, const std::string& noun);
/// "1 run is", "2 runs are".
std::string countedAre(std::int64_t count, const std::string& noun);
/// `value` with `digits` significant digits.
std::string shortNumber(double value, int digits = 4);
/// "98.5 %".
std::string percent(double share);

}  // namespace tfm::cli
