// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/document_paths.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <system_error>

#include "core/base/error.h"
#include "core/io/atomic_file.h"
#include "core/io/cache_folder.h"
#include "core/io/read_file.h"

namespace tfm::data {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMaxPlaceBytes = 1 << 16;
constexpr std::size_t kHashDigits = 16;

/// Absolute and without a slash at its end.
fs::path wholePath(const fs::path& path) {
  std::error_code unknown;
  const fs::path whole = fs::absolute(path, unknown).lexically_normal();
  return whole.has_filename() ? whole : whole.parent_path();
}

bool isIn(const fs::path& path, const fs::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first ==
         folder.end();
}

/// Whether paths that meet in `folder` say nothing about this machine and its user.
bool isPrivate(const fs::path& folder) {
  if (folder == folder.root_path()) return false;
  const char* home = std::getenv("HOME");
  if (home == nullptr || !fs::path(home).is_absolute()) return true;
  const fs::path own = wholePath(home);
  return folder == own || !isIn(own, folder);
}

/// The file that remembers where content is; empty for what is no hash: a document may say
/// anything.
fs::path noteOf(const std::string& hash) {
  const bool is_hash =
      hash.size() == kHashDigits && hash.find_first_not_of("0123456789abcdef") == std::string::npos;
  return is_hash ? io::cacheFolder() / "places" / hash : fs::path();
}

/// Those whose content a document has, or names in its references.
std::string TaskConfig::*const kTexts[] = {&TaskConfig::path, &TaskConfig::test_path,
                                           &TaskConfig::vocabulary_path};

bool isPresent(const fs::path& path) {
  std::error_code unknown;
  return fs::exists(path, unknown);
}

}  // namespace

std::string storedPath(const fs::path& path, const fs::path& folder) {
  if (path.empty() || folder.empty()) return path.string();
  const fs::path place = wholePath(path);
  const fs::path from = wholePath(folder);
  const fs::path relative = place.lexically_relative(from);
  fs::path meeting = from;
  for (const fs::path& part : relative)
    if (part == "..") meeting = meeting.parent_path();
  return isPrivate(meeting) ? relative.string() : place.filename().string();
}

fs::path placeOf(const fs::path& stored, const fs::path& folder) {
  return stored.empty() || folder.empty() ? stored : (folder / stored).lexically_normal();
}

void rememberPlace(const std::string& hash, const fs::path& path) {
  try {
    const fs::path place = wholePath(path);
    const fs::path note = noteOf(hash);
    if (note.empty() || rememberedPlace(hash) == place) return;
    std::error_code problem;
    fs::create_directory(note.parent_path(), problem);  // writing reports errors
    io::writeFile(note, place.string());
  } catch (const Error&) {  // the document can still be moved together with its texts
  }
}

fs::path rememberedPlace(const std::string& hash) {
  try {
    const fs::path note = noteOf(hash);
    if (note.empty()) return {};
    const fs::path place = io::readFile(note, kMaxPlaceBytes);
    return place.is_absolute() ? place : fs::path();
  } catch (const Error&) {
    return {};
  }
}

fs::path foundFolder(const fs::path& path, const std::string& hash) {
  std::error_code unknown;
  if (path.empty() || fs::is_directory(path, unknown)) return path;
  const fs::path remembered = rememberedPlace(hash);
  return fs::is_directory(remembered, unknown) ? remembered : path;
}

TaskConfig withStoredPaths(TaskConfig config, const fs::path& folder) {
  if (folder.empty()) return config;
  for (const auto text : kTexts) {
    const fs::path path = config.*text;
    config.*text = isPresent(path) ? storedPath(path, folder) : path.filename().string();
  }
  config.encoder_path = storedPath(config.encoder_path, folder);
  return config;
}

TaskConfig withPlaces(TaskConfig config, const fs::path& folder) {
  if (folder.empty()) return config;
  for (const auto text : kTexts) {
    const fs::path place = placeOf(config.*text, folder);
    config.*text = isPresent(place) ? place.string() : place.filename().string();
  }
  config.encoder_path = placeOf(config.encoder_path, folder).string();
  if (!config.encoder_path.empty())
    config.encoder_path =
        foundFolder(wholePath(config.encoder_path), config.encoder_content).string();
  return config;
}

}  // namespace tfm::data
