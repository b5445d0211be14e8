// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/text_file.h"

#include <string_view>
#include <utility>

#include "core/base/error.h"
#include "core/io/read_file.h"
#include "core/io/utf8.h"

namespace tfm::io {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace

std::string checkedText(std::string bytes, const std::string& where) {
  requireUtf8(bytes, where);
  if (bytes.starts_with(kByteOrderMark)) bytes.erase(0, kByteOrderMark.size());
  if (bytes.empty()) throw Error("the file is empty", where, "Choose a file with text in it.");
  return bytes;
}

std::string readTextFile(const std::filesystem::path& path, std::uint64_t maxBytes) {
  return checkedText(readFile(path, maxBytes), path.string());
}

}  // namespace tfm::io
