// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/atomic_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "core/base/check.h"
#include "core/base/error.h"
#include "core/base/system_memory.h"
#include "core/io/file_descriptor.h"
#include "core/io/file_lock.h"

namespace tfm::io {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxNameAttempts = 1000;

std::string writeHint(int code) {
  switch (code) {
    case ENOENT:
    case ENOTDIR:
      return "The folder does not exist: create it or choose another one.";
    case EACCES:
    case EPERM:
    case EROFS:
      return "Choose a folder you may write to.";
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return "Free some space or choose another disk; the old file, if any, is unchanged.";
    default:
      return "The old file, if any, is unchanged.";
  }
}

fs::path folderOf(const fs::path& target) {
  return target.has_parent_path() ? target.parent_path() : fs::path(".");
}

/// Locks the file, so that sweepLeftovers() keeps it. Returns false if it was removed before.
bool holds(int descriptor) {
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) return errno != EWOULDBLOCK;
  struct stat status {};
  return ::fstat(descriptor, &status) != 0 || status.st_nlink > 0;
}

/// Makes a rename in `folder` survive a power failure. A file system without support for this is no
/// error, since the file is in place.
void syncFolder(const fs::path& folder) {
  const FileDescriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened) ::fsync(opened.value());
}

}  // namespace

AtomicFile::AtomicFile(const fs::path& target) : target_(followedLinks(target)) {
  if (!target_.has_filename())
    throw Error("a file name is missing", target_.string(), "Give the file a name.");
  std::error_code ignored;
  const fs::file_status status = fs::status(target_, ignored);
  if (fs::is_directory(status))
    throw Error("cannot write the file: a folder has this name", target_.string(),
                "Choose another name.");
  if (fs::exists(status) && !fs::is_regular_file(status))
    throw Error("cannot write the file: a device or a pipe has this name", target_.string(),
                "Choose another name.");
  // A rename would also replace a write-protected file.
  if (fs::exists(status) && ::access(target_.c_str(), W_OK) != 0) fail(errno);
  sweepLeftovers(folderOf(target_));
  const bool replaces = fs::exists(status);
  openTemporary(replaces ? 0600 : 0666);  // nobody reads more than the file it replaces lets them
  if (replaces) keepPermissions();
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::openTemporary(mode_t mode) {
  const std::string prefix = ".tfm-" + std::to_string(::getpid()) + "-";
  for (int attempt = 0; attempt < kMaxNameAttempts; ++attempt) {
    const fs::path name = folderOf(target_) / (prefix + std::to_string(attempt) + ".part");
    const int descriptor = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (descriptor < 0 && errno != EEXIST) fail(errno);
    if (descriptor < 0) continue;
    if (holds(descriptor)) {
      descriptor_ = descriptor;
      temporary_ = name;
      return;
    }
    ::close(descriptor);
  }
  fail(EEXIST);
}

void AtomicFile::keepPermissions() {
  struct stat status {};
  // Best effort: on a file system without permissions there are none to keep.
  if (::stat(target_.c_str(), &status) == 0 && ::fchmod(descriptor_, status.st_mode & 0777) != 0)
    return;
}

void AtomicFile::write(std::span<const std::byte> bytes) {
  check(descriptor_ >= 0, "write() must not be called after commit()");
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(errno);
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
}

void AtomicFile::write(std::string_view text) { write(std::as_bytes(std::span(text))); }

FileIdentity AtomicFile::commit(const std::optional<FileIdentity>& known) {
  check(descriptor_ >= 0, "commit() must be called only once");
  if (::fsync(descriptor_) != 0) fail(errno);
  if (known) requireUnchanged(target_, *known);
  // Keeps the lock until after the rename, so that sweepLeftovers() does not remove the file.
  const FileDescriptor owner(::dup(descriptor_));
  // A network file system may report a full disk only here.
  if (::close(std::exchange(descriptor_, -1)) != 0) fail(errno);
  // Only now: closing the file may change its modification time.
  const FileIdentity written = fileIdentity(temporary_);
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail(errno);
  temporary_.clear();
  syncFolder(folderOf(target_));
  return written;
}

void AtomicFile::fail(int code) const {
  throw Error("cannot write the file: " + std::generic_category().message(code), target_.string(),
              writeHint(code));
}

void requireRoom(const fs::path& target, std::int64_t bytes) {
  std::error_code unknown;
  const fs::space_info disk = fs::space(folderOf(followedLinks(target)), unknown);
  if (unknown || disk.available >= std::uintmax_t(bytes)) return;
  throw Error("the file needs about " + byteText(bytes) + " and " +
                  byteText(std::int64_t(disk.available)) + " are free on the disk",
              target.string(), writeHint(ENOSPC));
}

void writeFile(const fs::path& target, std::string_view content) {
  AtomicFile file(target);
  file.write(content);
  file.commit();
}

}  // namespace tfm::io
