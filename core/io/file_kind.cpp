// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/file_kind.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>

#include "core/io/safetensors.h"
#include "core/io/utf8.h"

namespace tfm::io {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kHead = 4096;
constexpr std::size_t kLongestCharacter = 4;  // of UTF-8, in bytes

std::string firstBytes(const fs::path& path, std::size_t max_bytes) {
  std::error_code unknown;
  if (!fs::is_regular_file(path, unknown)) return {};
  std::ifstream file(path, std::ios::binary);
  std::string bytes(max_bytes, '\0');
  file.read(bytes.data(), std::streamsize(max_bytes));
  bytes.resize(std::size_t(std::max<std::streamsize>(0, file.gcount())));
  return bytes;
}

bool looksLikeTensors(std::string_view bytes) {
  std::uint64_t header = 0;
  if (bytes.size() <= sizeof header) return false;
  std::memcpy(&header, bytes.data(), sizeof header);
  return header <= kMaxSafetensorsHeader && bytes[sizeof header] == '{';
}

bool isNamedCsv(const fs::path& path) {
  const std::string ending = path.extension().string();
  return ending == ".csv" || ending == ".CSV";
}

}  // namespace

bool looksLikeText(std::string_view beginning) {
  const auto control = [](char c) { return (c >= '\0' && c < '\t') || (c > '\r' && c < ' '); };
  if (beginning.empty() || std::ranges::any_of(beginning, control)) return false;
  const auto wrong = firstInvalidUtf8(beginning);
  return !wrong || *wrong + kLongestCharacter > beginning.size();
}

std::string firstLines(const fs::path& path, std::size_t max_bytes) {
  std::string bytes = firstBytes(path, max_bytes);
  if (bytes.size() == max_bytes) bytes.resize(bytes.rfind('\n') + 1);
  return bytes;
}

FileKind fileKind(const fs::path& path) {
  std::error_code unknown;
  if (fs::is_directory(path, unknown)) return FileKind::Folder;
  const std::string bytes = firstBytes(path, kHead);
  if (looksLikeTensors(bytes)) return FileKind::Tensors;
  if (bytes.starts_with("PK\x03\x04")) return FileKind::Archive;
  if (!looksLikeText(bytes)) return FileKind::Other;
  const std::string_view line = std::string_view(bytes).substr(0, bytes.find('\n'));
  const bool commas = isNamedCsv(path) && line.find(',') != line.npos;
  return commas || line.find('\t') != line.npos ? FileKind::Table : FileKind::Text;
}

}  // namespace tfm::io
