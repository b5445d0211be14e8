// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/cache_folder.h"

#include <cstdlib>
#include <system_error>

#include "core/base/error.h"

namespace tfm::io {
namespace {

namespace fs = std::filesystem;

/// The folder in an environment variable; empty if unset or relative (XDG Base Directory
/// Specification).
fs::path folderFrom(const char* variable) {
  const char* value = std::getenv(variable);
  if (value == nullptr || !fs::path(value).is_absolute()) return {};
  return value;
}

}  // namespace

fs::path cacheFolder() {
  fs::path base = folderFrom("XDG_CACHE_HOME");
  if (base.empty() && !folderFrom("HOME").empty()) base = folderFrom("HOME") / ".cache";
  if (base.empty())
    throw Error("there is no cache folder", "HOME", "Set XDG_CACHE_HOME to a writable folder");
  const fs::path folder = base / "transformarium";
  std::error_code failure;
  // Copies of models, with their texts, are in it.
  if (fs::create_directories(folder, failure))
    fs::permissions(folder, fs::perms::owner_all, failure);
  if (failure)
    throw Error("cannot create the folder: " + failure.message(), folder.string(),
                "Set XDG_CACHE_HOME to a writable folder");
  return folder;
}

}  // namespace tfm::io
