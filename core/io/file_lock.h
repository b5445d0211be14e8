// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>

namespace tfm::io {

/// Tells other programs that this one writes a file, as long as it lives; the system lets go of it
/// when the process dies, however it does. It stands beside the file, which can thus be replaced
/// and need not exist yet, as the hidden `.tfm-NAME.lock`, which goes with the lock. Advisory: only
/// who asks for it too is told. Where a file system has no locks, or the folder cannot be written
/// to, everybody gets it.
class FileLock {
 public:
  /// Holds nothing.
  FileLock() = default;
  /// Never waits: held() says whether another has it.
  explicit FileLock(const std::filesystem::path& target);
  ~FileLock();
  FileLock(FileLock&& other) noexcept;
  FileLock& operator=(FileLock&& other) noexcept;

  /// Whether no other program, and nothing else in this one, has it.
  bool held() const { return holder_.empty(); }
  /// Who has it instead, e.g. "process 4711 on lab-pc-3"; else empty.
  const std::string& holder() const { return holder_; }
  /// Throws Error unless held().
  void require() const;

 private:
  void release() noexcept;

  std::filesystem::path target_;
  std::filesystem::path path_;  // of the lock's own file; empty: there is none to remove
  int descriptor_ = -1;
  std::string holder_;
};

/// Removes what dead processes have left in a folder: unfinished files and locks named `.tfm-*`
/// that nobody holds.
void sweepLeftovers(const std::filesystem::path& folder);

}  // namespace tfm::io
