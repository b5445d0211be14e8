// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

#include "core/io/file_identity.h"
#include "core/io/file_lock.h"
#include "core/train/document.h"

namespace tfm::cli {

/// The --out of a command: from its beginning on no other command writes it, and what another
/// program puts there meanwhile is not overwritten.
class GuardedOutput {
 public:
  /// Make it before the file is read, if it is. Throws Error where it cannot be written or another
  /// command is writing it.
  explicit GuardedOutput(std::filesystem::path path);

  const std::filesystem::path& path() const { return path_; }
  /// Whether there was a file.
  bool replaces() const { return known_.exists; }
  /// Throws what saveDocument() throws.
  void save(const train::Document& document);
  /// The same, whatever is there now.
  void saveOver(const train::Document& document);

 private:
  std::filesystem::path path_;
  io::FileLock lock_;
  io::FileIdentity known_;
};

}  // namespace tfm::cli
