// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/base/error.h"
#include "core/io/file_identity.h"

namespace tfm::io {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxAttempts = 100;
constexpr int kFlags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;

std::string thisProcess() {
  std::array<char, 256> host{};
  const bool known = ::gethostname(host.data(), host.size() - 1) == 0 && host[0] != '\0';
  return "process " + std::to_string(::getpid()) + (known ? std::string(" on ") + host.data() : "");
}

/// Whether an open file may be written: it is no pipe, and no other file by a second name.
bool isLockFile(int descriptor) {
  struct stat status {};
  return ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_nlink <= 1;
}

/// Whether the open file is still at `path`: releasing a lock removes its file first.
bool stillNamed(int descriptor, const fs::path& path) {
  struct stat open {};
  struct stat named {};
  return ::fstat(descriptor, &open) == 0 && ::lstat(path.c_str(), &named) == 0 &&
         open.st_dev == named.st_dev && open.st_ino == named.st_ino;
}

std::string holderIn(int descriptor) {
  std::array<char, 300> text{};
  const ssize_t count = ::pread(descriptor, text.data(), text.size(), 0);
  const std::string_view words(text.data(), std::size_t(count > 0 ? count : 0));
  bool plain = words.starts_with("process ");
  for (const char letter : words) plain = plain && letter >= ' ' && letter <= '~';
  return plain ? std::string(words) : "another program";
}

/// Beside the file itself, with symbolic links resolved.
fs::path lockPath(const fs::path& target) {
  std::error_code problem;
  fs::path file = target;
  try {
    file = followedLinks(target);
  } catch (const Error&) {  // whoever writes it says so
  }
  fs::path real = fs::weakly_canonical(fs::absolute(file, problem), problem);
  if (problem || real.empty()) real = file;
  return real.parent_path() / (".tfm-" + real.filename().string() + ".lock");
}

}  // namespace

FileLock::FileLock(const fs::path& target) : target_(target) {
  const fs::path path = lockPath(target);
  for (int attempt = 0; attempt < kMaxAttempts; ++attempt) {
    int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | kFlags, 0666);
    if (descriptor < 0)  // another user's
      descriptor = ::open(path.c_str(), O_RDONLY | kFlags);
    if (descriptor < 0) return;
    if (!isLockFile(descriptor)) {
      ::close(descriptor);
      return;
    }
    if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
      if (errno == EWOULDBLOCK) holder_ = holderIn(descriptor);
      ::close(descriptor);
      return;
    }
    if (!stillNamed(descriptor, path)) {  // released between the two calls
      ::close(descriptor);
      continue;
    }
    const std::string name = thisProcess();
    // A failure is ignored: the holder is only shown in messages.
    if (::ftruncate(descriptor, 0) != 0 || ::pwrite(descriptor, name.data(), name.size(), 0) < 0)
      errno = 0;
    descriptor_ = descriptor;
    path_ = path;
    return;
  }
}

FileLock::~FileLock() { release(); }

FileLock::FileLock(FileLock&& other) noexcept
    : target_(std::move(other.target_)),
      path_(std::exchange(other.path_, {})),
      descriptor_(std::exchange(other.descriptor_, -1)),
      holder_(std::exchange(other.holder_, {})) {}

FileLock& FileLock::operator=(FileLock&& other) noexcept {
  if (this == &other) return *this;
  release();
  target_ = std::move(other.target_);
  path_ = std::exchange(other.path_, {});
  descriptor_ = std::exchange(other.descriptor_, -1);
  holder_ = std::exchange(other.holder_, {});
  return *this;
}

void FileLock::release() noexcept {
  if (descriptor_ < 0) return;
  // Removed while held, so that no other process's lock can be removed.
  if (stillNamed(descriptor_, path_)) ::unlink(path_.c_str());
  ::close(std::exchange(descriptor_, -1));
}

void FileLock::require() const {
  if (held()) return;
  throw Error("another program has this file open: " + holder_, target_.string(),
              "Quit that program first, or choose another name.");
}

void sweepLeftovers(const fs::path& folder) {
  std::error_code problem;
  for (fs::directory_iterator entry(folder, problem), end; !problem && entry != end;
       entry.increment(problem)) {
    const std::string name = entry->path().filename().string();
    if (!name.starts_with(".tfm-") || !(name.ends_with(".part") || name.ends_with(".lock")))
      continue;
    const int descriptor = ::open(entry->path().c_str(), O_RDWR | kFlags);
    if (descriptor < 0) continue;
    // A living owner would hold the lock. The name is checked while this lock is held, so that no
    // other file is removed.
    if (isLockFile(descriptor) && ::flock(descriptor, LOCK_EX | LOCK_NB) == 0 &&
        stillNamed(descriptor, entry->path()))
      ::unlink(entry->path().c_str());
    ::close(descriptor);
  }
}

}  // namespace tfm::io
