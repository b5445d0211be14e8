// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/read_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <new>
#include <system_error>

#include "core/base/error.h"
#include "core/io/file_descriptor.h"

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

}  // namespace

std::string readFile(const std::filesystem::path& path, std::uint64_t maxBytes) {
  // Without O_NONBLOCK, opening a named pipe would wait for a writer.
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file) failRead(path, errno);
  struct stat status {};
  if (::fstat(file.value(), &status) != 0) failRead(path, errno);
  if (S_ISDIR(status.st_mode))
    throw Error("this is a folder, not a file", path.string(), "Choose a file inside it.");
  if (!S_ISREG(status.st_mode)) {
    throw Error("this is a device or a pipe, not a file", path.string(),
                "Write its content to a file first.");
  }
  const auto size = static_cast<std::uint64_t>(status.st_size);
  if (size > maxBytes) {
    throw Error("the file has " + std::to_string(size) + " bytes; at most " +
                    std::to_string(maxBytes) + " are read",
                path.string(), "Choose a smaller file.");
  }
  std::string bytes;
  try {
    bytes.resize(size);
  } catch (const std::bad_alloc&) {
    throw Error("not enough memory for " + std::to_string(size) + " bytes", path.string(),
                "Close other programs or choose a smaller file.");
  }
  std::size_t filled = 0;
  while (filled < bytes.size()) {
    const ssize_t count = ::read(file.value(), bytes.data() + filled, bytes.size() - filled);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) failRead(path, errno);
    if (count == 0) break;  // another program has shortened the file
    filled += static_cast<std::size_t>(count);
  }
  bytes.resize(filled);
  return bytes;
}

}  // namespace tfm::io
