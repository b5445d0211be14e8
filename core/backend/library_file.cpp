// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/library_file.h"

#include <fcntl.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "core/base/error.h"

namespace tfm {
namespace {

using Header = ElfW(Ehdr);
using Segment = ElfW(Phdr);

/// An open file, closed at the end of its scope.
class OpenFile {
 public:
  explicit OpenFile(const std::filesystem::path& path)
      : descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
  ~OpenFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  int descriptor() const { return descriptor_; }
  bool read(void* bytes, std::size_t count, std::uint64_t offset) const {
    return ::pread(descriptor_, bytes, count, off_t(offset)) == ssize_t(count);
  }

 private:
  int descriptor_;
};

/// The header of this program, which libraries must match; nullopt where it cannot be read.
std::optional<Header> ownHeader() {
  const OpenFile program("/proc/self/exe");
  Header header;
  if (program.descriptor() < 0 || !program.read(&header, sizeof header, 0)) return std::nullopt;
  return header;
}

/// Whether `count` entries of `size` bytes from `offset` lie inside a file. None overflows: a count
/// has 16 bits, as a size.
bool fits(std::uint64_t offset, std::uint64_t count, std::uint64_t size, std::uint64_t file_size) {
  return offset <= file_size && count * size <= file_size - offset;
}

bool isForThisMachine(const Header& header) {
  const std::optional<Header> own = ownHeader();
  if (!own) return true;  // the loader knows as well
  return header.e_machine == own->e_machine &&
         std::memcmp(header.e_ident, own->e_ident, EI_DATA + 1) == 0;
}

/// What is wrong with an open file, after its name; empty if nothing is.
std::string faultOf(const OpenFile& file) {
  struct stat status {};
  if (file.descriptor() < 0 || ::fstat(file.descriptor(), &status) != 0)
    return "cannot be read: " + std::generic_category().message(errno);
  if (!S_ISREG(status.st_mode)) return "is a folder, a device or a pipe, not a library";
  const auto size = std::uint64_t(status.st_size);
  std::array<char, SELFMAG> magic{};
  if (!file.read(magic.data(), magic.size(), 0) || std::memcmp(magic.data(), ELFMAG, SELFMAG) != 0)
    return size == 0 ? "is empty" : "is not a library";
  Header header;
  if (!file.read(&header, sizeof header, 0)) return "is cut off";
  if (!isForThisMachine(header)) return "is a library for another kind of machine";
  if (header.e_type != ET_DYN || header.e_phentsize != sizeof(Segment)) return "is not a library";
  std::vector<Segment> segments(header.e_phnum);
  const std::size_t bytes = segments.size() * sizeof(Segment);
  const bool whole_tables =
      fits(header.e_phoff, header.e_phnum, sizeof(Segment), size) &&
      (header.e_shoff == 0 || fits(header.e_shoff, header.e_shnum, header.e_shentsize, size));
  if (!whole_tables || !file.read(segments.data(), bytes, header.e_phoff)) return "is cut off";
  for (const Segment& segment : segments)
    if (!fits(segment.p_offset, 1, segment.p_filesz, size)) return "is cut off";
  return {};
}

}  // namespace

void requireLibrary(const std::filesystem::path& path) {
  const std::string fault = faultOf(OpenFile(path));
  if (!fault.empty()) throw Error(path.string() + " " + fault);
}

}  // namespace tfm
