// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>

#include "core/base/error.h"

namespace tfm::io {

/// Which file stands under a name: tells whether another program has replaced or changed it since.
struct FileIdentity {
  bool exists = false;
  std::uint64_t inode = 0;
  std::int64_t size = 0;         ///< bytes
  std::int64_t modified_ns = 0;  ///< of the system's clock, since 1970
  bool operator==(const FileIdentity&) const = default;
};

/// Of the file that `path`, or where it points to, names now. Take it before the file is read: what
/// replaces the file meanwhile is noticed then. A file that cannot be looked at is not there.
FileIdentity fileIdentity(const std::filesystem::path& path);

/// Thrown instead of overwriting what another program has put there.
class FileReplaced : public Error {
 public:
  using Error::Error;
};

/// Throws FileReplaced where `path` names another file than the `known` one: it was replaced or
/// changed, or there was none and now there is. Not where it is gone: writing it loses nothing.
void requireUnchanged(const std::filesystem::path& path, const FileIdentity& known);

}  // namespace tfm::io
