// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output.h"

#include <unistd.h>

#include <CLI/App.hpp>
#include <array>
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>
#include <streambuf>
#include <utility>

#include "core/base/error.h"
#include "core/io/message_text.h"
#include "core/io/utf8.h"

namespace tfm::cli {
namespace {

std::string formatted(const char* format, int digits, double value) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), format, digits, value);
  return text.data();
}

}  // namespace

/// Hands plain text on to another buffer.
class PlainStream::Buffer : public std::streambuf {
 public:
  explicit Buffer(std::streambuf* target) : target_(target) {}

  std::streambuf* target() const { return target_; }
  /// Writes what is left of a character whose end never came.
  void finish() { write(std::exchange(begun_, {})); }

 protected:
  int_type overflow(int_type c) override {
    const char letter = traits_type::to_char_type(c);
    const bool none = traits_type::eq_int_type(c, traits_type::eof());
    return none || xsputn(&letter, 1) == 1 ? traits_type::not_eof(c) : traits_type::eof();
  }
  std::streamsize xsputn(const char* text, std::streamsize size) override {
    std::string whole = std::exchange(begun_, {});
    whole.append(text, std::size_t(size));
    begun_ = whole.substr(whole.size() - io::cutBytes(whole));
    whole.resize(whole.size() - begun_.size());
    return write(whole) ? size : 0;
  }
  int sync() override { return target_->pubsync(); }

 private:
  bool write(const std::string& text) {
    const std::string plain = io::plainText(text);
    return target_->sputn(plain.data(), std::streamsize(plain.size())) ==
           std::streamsize(plain.size());
  }

  std::streambuf* target_;
  std::string begun_;  // the first bytes of a character
};

PlainStream::PlainStream(std::ostream& stream)
    : stream_(stream), buffer_(std::make_unique<Buffer>(stream.rdbuf())) {
  stream_.rdbuf(buffer_.get());
}

PlainStream::~PlainStream() {
  buffer_->finish();
  const std::ios::iostate state = stream_.rdstate();
  stream_.rdbuf(buffer_->target());  // clears the state
  stream_.setstate(state);
}

bool showsProgress() { return ::isatty(STDERR_FILENO) == 1; }

void showProgress(std::string_view text) {
  if (!showsProgress()) return;
  std::cerr << std::flush;
  constexpr std::string_view kClearLine = "\r\x1b[K";  // a command, which std::cerr would write out
  if (::write(STDERR_FILENO, kClearLine.data(), kClearLine.size()) > 0)
    std::cerr << text << std::flush;
}

void addJsonFlag(CLI::App& options, bool& json) {
  options.add_flag("--json", json, "Print the result as one JSON object");
}

void printJson(const nlohmann::ordered_json& json) {
  std::cout << json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << '\n';
}

bool isUsageError(const Error& error) {
  return error.where().starts_with(kCommandLine) || error.where().starts_with("--");
}

void say(std::string_view text) { std::cerr << text << '\n'; }

void printError(const Error& error) {
  std::cerr << "error: " << error.problem() << '\n';
  if (!error.where().empty()) std::cerr << "where: " << error.where() << '\n';
  if (!error.hint().empty()) std::cerr << "hint:  " << error.hint() << '\n';
}

void printJsonError(const Error& error) {
  printJson(
      {{"error", {{"what", error.problem()}, {"where", error.where()}, {"hint", error.hint()}}}});
}

void printColumns(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i == widths.size()) widths.push_back(0);
      widths[i] = std::max(widths[i], row[i].size());
    }
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i)
      line += row[i] + std::string(widths[i] - row[i].size() + 2, ' ');
    line.erase(line.find_last_not_of(' ') + 1);
    std::cout << line << '\n';
  }
}

std::string withCommas(std::int64_t number) {
  std::string text = std::to_string(number);
  const std::size_t sign = number < 0 ? 1 : 0;
  for (std::size_t i = text.size(); i > sign + 3;) text.insert(i -= 3, 1, ',');
  return text;
}

std::string counted(std::int64_t count, const std::string& noun) {
  return withCommas(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string countedAre(std::int64_t count, const std::string& noun) {
  return counted(count, noun) + (count == 1 ? " is" : " are");
}

std::string shortNumber(double value, int digits) { return formatted("%.*g", digits, value); }

std::string percent(double share) { return formatted("%.*f %%", 1, 100.0 * share); }

}  // namespace tfm::cli
