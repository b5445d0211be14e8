// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/read_file.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <new>
#include <system_error>
#include <utility>

#include "core/base/error.h"

namespace tfm::io {
namespace {

std::string readHint(int code) {
  switch (code) {
    case ENOENT:
    case ENOTDIR:
      return "Check the name and the folder.";
    case EACCES:
    case EPERM:
      return "Choose a file you may read, or change its permissions.";
    default:
      return "Try another copy of the file.";
  }
}

[[noreturn]] void failRead(const std::filesystem::path& path, int code) {
  throw Error("cannot read the file: " + std::generic_category().message(code), path.string(),
              readHint(code));
}

/// Such files have no size, and reading one may wait for the kernel or change it.
bool isOfTheKernel(int descriptor) {
  constexpr std::array kKernels{PROC_SUPER_MAGIC, DEBUGFS_MAGIC, TRACEFS_MAGIC};
  struct statfs system {};
  return ::fstatfs(descriptor, &system) == 0 &&
         std::ranges::find(kKernels, system.f_type) != kKernels.end();
}

}  // namespace

RegularFile::RegularFile(std::filesystem::path path)
    : path_(std::move(path)),
      // Without O_NONBLOCK, opening a named pipe would wait for a writer.
      descriptor_(::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) {
  if (!descriptor_) failRead(path_, errno);
  struct stat status {};
  if (::fstat(descriptor_.value(), &status) != 0) failRead(path_, errno);
  if (S_ISDIR(status.st_mode))
    throw Error("this is a folder, not a file", path_.string(), "Choose a file inside it.");
  if (!S_ISREG(status.st_mode)) {
    throw Error("this is a device or a pipe, not a file", path_.string(),
                "Write its content to a file first.");
  }
  size_ = static_cast<std::uint64_t>(status.st_size);
  if (size_ == 0 && isOfTheKernel(descriptor_.value()))
    throw Error("this is a file of the kernel", path_.string(),
                "Write its content to a file first.");
}

std::string RegularFile::beginning(std::size_t max_bytes) const {
  return firstBytes(std::min<std::uint64_t>(max_bytes, size_));
}

std::string RegularFile::content(std::uint64_t max_bytes) const {
  if (size_ > max_bytes) {
    throw Error("the file has " + std::to_string(size_) + " bytes; at most " +
                    std::to_string(max_bytes) + " are read",
                path_.string(), "Choose a smaller file.");
  }
  return firstBytes(size_);
}

std::string RegularFile::firstBytes(std::uint64_t count) const {
  std::string bytes;
  try {
    bytes.resize(count);
  } catch (const std::bad_alloc&) {
    throw Error("not enough memory for " + std::to_string(count) + " bytes", path_.string(),
                "Close other programs or choose a smaller file.");
  }
  bytes.resize(readSome(0, std::as_writable_bytes(std::span(bytes))));
  return bytes;
}

void RegularFile::read(std::uint64_t begin, std::span<std::byte> to) const {
  if (readSome(begin, to) < to.size())
    throw Error("another program has shortened the file", path_.string(),
                "Open it again when it is whole");
}

std::size_t RegularFile::readSome(std::uint64_t begin, std::span<std::byte> to) const {
  std::size_t filled = 0;
  while (filled < to.size()) {
    const ssize_t got = ::pread(descriptor_.value(), to.data() + filled, to.size() - filled,
                                static_cast<off_t>(begin + filled));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) failRead(path_, errno);
    if (got == 0) break;  // another program has shortened the file
    filled += static_cast<std::size_t>(got);
  }
  return filled;
}

std::string readFile(const std::filesystem::path& path, std::uint64_t max_bytes) {
  return RegularFile(path).content(max_bytes);
}

}  // namespace tfm::io
