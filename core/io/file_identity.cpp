// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/file_identity.h"

#include <sys/stat.h>

#include <cerrno>
#include <system_error>

namespace tfm::io {

FileIdentity fileIdentity(const std::filesystem::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return {};
  constexpr std::int64_t kNanoseconds = 1'000'000'000;
  return {true, std::uint64_t(status.st_ino), std::int64_t(status.st_size),
          std::int64_t(status.st_mtim.tv_sec) * kNanoseconds + status.st_mtim.tv_nsec};
}

std::filesystem::path followedLinks(const std::filesystem::path& path) {
  namespace fs = std::filesystem;
  constexpr int kMostLinks = 40;  // as many as Linux follows
  std::error_code problem;
  fs::path found = path;
  for (int links = 0; fs::is_symlink(fs::symlink_status(found, problem)); ++links) {
    struct stat status {};
    const bool refused = ::stat(found.c_str(), &status) != 0 && errno != ENOENT;
    const int code = links == kMostLinks ? ELOOP : errno;
    if (refused || links == kMostLinks)
      throw Error("cannot follow the link: " + std::generic_category().message(code), path.string(),
                  "Choose another name.");
    const fs::path to = fs::read_symlink(found, problem);
    if (problem) break;
    found = found.parent_path() / to;  // an absolute one replaces all
  }
  return found;
}

void requireUnchanged(const std::filesystem::path& path, const FileIdentity& known) {
  const FileIdentity found = fileIdentity(path);
  // Writing a deleted file again loses nothing.
  if (found == known || !found.exists) return;
  throw FileReplaced(known.exists ? "another program has replaced or changed this file since"
                                  : "another program has created this file in the meantime",
                     path.string(), "Save under another name to keep both.");
}

}  // namespace tfm::io
