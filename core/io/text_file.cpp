// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/text_file.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/base/error.h"
#include "core/io/foreign_format.h"
#include "core/io/gzip.h"
#include "core/io/read_file.h"
#include "core/io/utf8.h"

namespace tfm::io {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace

std::string checkedText(std::string bytes, const std::string& where) {
  if (const auto foreign = foreignFormat(bytes))
    throw Error("this is " + foreign->what + ", not text in UTF-8", where, foreign->hint);
  requireUtf8(bytes, where);
  if (bytes.starts_with(kByteOrderMark)) bytes.erase(0, kByteOrderMark.size());
  if (bytes.empty()) throw Error("the file is empty", where, "Choose a file with text in it.");
  return bytes;
}

std::string readTextFile(const std::filesystem::path& path, std::uint64_t maxBytes) {
  return textOfFile(readFile(path, maxBytes), path.string(), maxBytes);
}

std::string textOfFile(std::string bytes, const std::string& where, std::uint64_t maxBytes) {
  if (isGzip(bytes)) bytes = gunzip(bytes, maxBytes, where);
  std::string text = checkedText(std::move(bytes), where);
  if (text.find('\n') == text.npos) std::ranges::replace(text, '\r', '\n');
  return text;
}

}  // namespace tfm::io
