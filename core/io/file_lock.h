// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>

namespace tfm::io {

/// An advisory lock on a file for the lifetime of the object or process. It locks the hidden file
/// `.tfm-NAME.lock` in the same folder, removed on release, so that the file itself can be replaced
/// and need not exist yet. On a file system without locks, or in a read-only folder, it always
/// succeeds.
class FileLock {
 public:
  /// Holds nothing.
  FileLock() = default;
  /// Does not wait: held() returns whether it succeeded.
  explicit FileLock(const std::filesystem::path& target);
  ~FileLock();
  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&& other) noexcept;

  /// False if another program, or another FileLock in this one, has the lock.
  bool held() const { return holder_.empty(); }
  /// Who has the lock instead, e.g. "process 4711 on lab-pc-3"; else empty.
  const std::string& holder() const { return holder_; }
  /// Throws Error unless held().
  void require() const;

 private:
  void release() noexcept;

  std::filesystem::path target_;
  std::filesystem::path path_;  // of the lock file; empty: none to remove
  int descriptor_ = -1;
  std::string holder_;
};

/// Removes files left by dead processes in a folder: temporary files and locks named `.tfm-*` that
/// no process holds.
void sweepLeftovers(const std::filesystem::path& folder);

}  // namespace tfm::io
