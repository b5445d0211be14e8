// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

#include "core/io/byte_source.h"
#include "core/io/file_descriptor.h"

namespace tfm::io {

/// A file that is open for reading. Never waits: what could make it wait, such as a named pipe
/// without a writer or a file of the kernel, is refused.
class RegularFile final : public ByteSource {
 public:
  /// Throws Error if the file is missing, a folder, a device, a pipe, or a file of the kernel such
  /// as those in /proc (whose size is 0 whatever they contain), or unreadable.
  explicit RegularFile(std::filesystem::path path);

  std::uint64_t size() const override { return size_; }  ///< bytes, when it was opened
  /// Throws Error if the file has become shorter meanwhile, or cannot be read.
  void read(std::uint64_t begin, std::span<std::byte> to) const override;
  /// The first bytes, or all of a shorter file. Throws Error.
  std::string beginning(std::size_t max_bytes) const;
  /// All bytes. Throws Error if they are more than `max_bytes`, before memory is allocated.
  std::string content(std::uint64_t max_bytes) const;

 private:
  std::string firstBytes(std::uint64_t count) const;
  /// How many of the bytes there are.
  std::size_t readSome(std::uint64_t begin, std::span<std::byte> to) const;

  std::filesystem::path path_;
  FileDescriptor descriptor_;
  std::uint64_t size_ = 0;
};

/// All bytes of a file. Throws the errors of RegularFile.
std::string readFile(const std::filesystem::path& path, std::uint64_t max_bytes);

}  // namespace tfm::io
