// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/corpus.h"

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>

namespace tfm::fuzz {
namespace {

/// "\x" and two digits.
constexpr std::size_t kEscape = 4;

std::string bytesOf(const std::string& line) {
  std::string bytes;
  for (std::size_t at = 0; at < line.size(); ++at) {
    std::uint8_t byte = std::uint8_t(line[at]);
    if (line[at] == '\\') {
      const char *digits = line.c_str() + at + 2, *end = line.c_str() + at + kEscape;
      if (at + kEscape > line.size() || std::from_chars(digits, end, byte, 16).ptr != end) {
        std::fprintf(stderr, "not an escaped input: %s\n", line.c_str());
        std::exit(EXIT_FAILURE);
      }
      at += kEscape - 1;
    }
    bytes += char(byte);
  }
  return bytes;
}

}  // namespace

std::string escaped(const std::string& input) {
  std::string text;
  char code[kEscape + 1];
  for (const char c : input) {
    const bool printable = c >= ' ' && c <= '~' && c != '\\';
    std::snprintf(code, sizeof code, printable ? "%c" : "\\x%02x", static_cast<unsigned char>(c));
    text += code;
  }
  return text;
}

std::vector<std::string> corpus(const char* file) {
  std::vector<std::string> inputs;
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) inputs.push_back(bytesOf(line));
  return inputs;
}

}  // namespace tfm::fuzz
