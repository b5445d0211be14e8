// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/io/file_identity.h"

namespace tfm::io {

/// Writes a file atomically: to a temporary file in the same folder, which commit() renames to the
/// target. Without commit() the target is unchanged and the temporary file is removed; one left by
/// a killed process is removed by the next AtomicFile in the folder.
class AtomicFile {
 public:
  /// Throws Error if the folder is missing or not writable, or if the target is a directory or a
  /// device. If the target is a symbolic link, the file it points to is written; see
  /// followedLinks().
  explicit AtomicFile(const std::filesystem::path& target);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// Appends. Throws Error with the reason from the system, e.g. a full disk.
  void write(std::span<const std::byte> bytes);
  void write(std::string_view text);

  /// Flushes the file to disk and renames it to the target. Returns the identity of the new file.
  /// Throws Error if that fails and FileReplaced if the target is no longer the `known` file. Call
  /// once.
  FileIdentity commit(const std::optional<FileIdentity>& known = {});

 private:
  void openTemporary(mode_t mode);
  void keepPermissions();
  [[noreturn]] void fail(int code) const;

  std::filesystem::path target_;
  std::filesystem::path temporary_;  // empty once there is nothing to remove
  int descriptor_ = -1;
};

/// Throws Error with both numbers if the disk of `target` has fewer than `bytes` bytes free.
void requireRoom(const std::filesystem::path& target, std::int64_t bytes);

/// Writes `content` with AtomicFile.
void writeFile(const std::filesystem::path& target, std::string_view content);

}  // namespace tfm::io
