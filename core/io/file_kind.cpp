// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/file_kind.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

#include "core/base/error.h"
#include "core/io/gzip.h"
#include "core/io/read_file.h"
#include "core/io/safetensors.h"
#include "core/io/text_file.h"
#include "core/io/utf8.h"

namespace tfm::io {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kHead = 4096;
constexpr std::size_t kLongestCharacter = 4;  // of UTF-8, in bytes

/// The first bytes of a file's content, and whether it has no more.
struct Beginning {
  std::string bytes;
  bool whole = false;
};

Beginning beginningOf(const fs::path& path, std::size_t max_bytes) {
  constexpr std::size_t kLeast = std::size_t{1} << 12;  // compressed, a short content is longer
  const std::size_t most = std::max(max_bytes, kLeast) + 1;
  std::string bytes;
  try {
    bytes = RegularFile(path).beginning(most);
  } catch (const Error&) {  // for whoever reads it all
    return {};
  }
  bool whole = bytes.size() < most;
  if (isGzip(bytes)) bytes = gunzipBeginning(bytes, max_bytes + 1);
  whole = whole && bytes.size() <= max_bytes;
  bytes.resize(std::min(bytes.size(), max_bytes));
  return {std::move(bytes), whole};
}

bool isNamedCsv(const fs::path& path) {
  const auto is = [](const fs::path& ending, std::string_view lower, std::string_view upper) {
    return ending == lower || ending == upper;
  };
  const bool packed = is(path.extension(), ".gz", ".GZ");
  return is((packed ? path.stem() : path).extension(), ".csv", ".CSV");
}

}  // namespace

bool looksLikeTensors(std::string_view bytes) {
  std::uint64_t header = 0;
  if (bytes.size() <= sizeof header) return false;
  std::memcpy(&header, bytes.data(), sizeof header);
  return header <= kMaxSafetensorsHeader && bytes[sizeof header] == '{';
}

bool looksLikeText(std::string_view beginning) {
  const auto control = [](char c) { return (c >= '\0' && c < '\t') || (c > '\r' && c < ' '); };
  if (beginning.empty() || std::ranges::any_of(beginning, control)) return false;
  const auto wrong = firstInvalidUtf8(beginning);
  return !wrong || *wrong + kLongestCharacter > beginning.size();
}

std::string firstLines(const fs::path& path, std::size_t max_bytes) {
  auto [bytes, whole] = beginningOf(path, max_bytes);
  if (!whole) bytes.resize(bytes.find_last_of("\r\n") + 1);
  try {
    return textOfFile(std::move(bytes), path.string());
  } catch (const Error&) {
    return {};
  }
}

FileKind fileKind(const fs::path& path) {
  std::error_code unknown;
  if (fs::is_directory(path, unknown)) return FileKind::Folder;
  const std::string bytes = beginningOf(path, kHead).bytes;
  if (looksLikeTensors(bytes)) return FileKind::Tensors;
  if (bytes.starts_with("PK\x03\x04")) return FileKind::Archive;
  if (!looksLikeText(bytes)) return FileKind::Other;
  const std::string_view line = std::string_view(bytes).substr(0, bytes.find_first_of("\r\n"));
  const bool commas = isNamedCsv(path) && line.find_first_of(",;") != line.npos;
  return commas || line.find('\t') != line.npos ? FileKind::Table : FileKind::Text;
}

}  // namespace tfm::io
