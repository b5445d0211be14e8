// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>

#include "core/base/error.h"

namespace tfm::io {

/// Identifies a version of a file, to notice that another program has replaced or changed it.
struct FileIdentity {
  bool exists = false;
  std::uint64_t inode = 0;
  std::int64_t size = 0;         ///< bytes
  std::int64_t modified_ns = 0;  ///< modification time in nanoseconds since 1970
  bool operator==(const FileIdentity&) const = default;
};

/// The identity of the file at `path` (symbolic links are followed). Call it before reading the
/// file, so that a later replacement is noticed. A file that cannot be examined does not exist.
FileIdentity fileIdentity(const std::filesystem::path& path);

/// The file that a path names: symbolic links are followed, as the system follows them, also to a
/// file that does not exist (yet). Throws Error for links in a circle, and for one that the system
/// does not follow: another user's in a folder that all may write to.
std::filesystem::path followedLinks(const std::filesystem::path& path);

/// Thrown instead of overwriting a file that another program has changed.
class FileReplaced : public Error {
 public:
  using Error::Error;
};

/// Throws FileReplaced if the file at `path` is not the `known` one: it was replaced, changed or
/// created since. A deleted file is no error, since writing loses nothing.
void requireUnchanged(const std::filesystem::path& path, const FileIdentity& known);

}  // namespace tfm::io
