// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/io/file_identity.h"

namespace tfm::io {

/// A file that appears under its name whole or not at all: bytes go to a temporary file in the same
/// folder, which commit() moves over the target. Without commit() the target stays as it was and
/// nothing is left behind; what a killed process leaves is removed by the next one that writes to
/// the folder.
class AtomicFile {
 public:
  /// Throws Error where the folder is missing or not writable, or the target is a directory or a
  /// device. A target that is a symbolic link keeps being one: the file that it points to is
  /// replaced.
  explicit AtomicFile(const std::filesystem::path& target);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// Appends. Throws Error with the system's reason, e.g. a full disk.
  void write(std::span<const std::byte> bytes);
  void write(std::string_view text);

  /// Brings everything to the disk and gives it the target's name. Call once; throws Error, and
  /// FileReplaced where the target is no longer the `known` file. Gives the new file's identity.
  FileIdentity commit(const std::optional<FileIdentity>& known = {});

 private:
  void openTemporary();
  void keepPermissions();
  [[noreturn]] void fail(int code) const;

  std::filesystem::path target_;
  std::filesystem::path temporary_;  // empty once there is nothing to remove
  int descriptor_ = -1;
};

/// Throws Error with both numbers where the disk that `target` is to be on has fewer bytes left.
void requireRoom(const std::filesystem::path& target, std::int64_t bytes);

/// Writes a whole file at once, as AtomicFile does.
void writeFile(const std::filesystem::path& target, std::string_view content);

}  // namespace tfm::io
