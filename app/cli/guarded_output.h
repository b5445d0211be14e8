// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <utility>

#include "core/document/document.h"
#include "core/io/file_identity.h"
#include "core/io/file_lock.h"

namespace tfm::cli {

/// The --out of a command: locks the file against other commands, and does not overwrite what
/// another program writes there in the meantime.
class GuardedOutput {
 public:
  /// Construct it before reading the file, if it is read. Throws Error if it cannot be written,
  /// another command is writing it, its name is that of another format, or, unless `force`, it is
  /// a file with anything but a model of this program.
  explicit GuardedOutput(std::filesystem::path path, bool force = false);

  const std::filesystem::path& path() const { return path_; }
  /// The model in the file, at the first call; none if there is none, or with `force`.
  std::optional<train::Document> takeModel() { return std::exchange(model_, std::nullopt); }
  /// Whether the file already existed.
  bool replaces() const { return known_.exists; }
  /// Saves a document. Throws the errors of saveDocument().
  void save(const train::Document& document);
  /// The same, but replaces any file.
  void saveOver(const train::Document& document);

 private:
  std::filesystem::path path_;
  io::FileLock lock_;
  io::FileIdentity known_;
  std::optional<train::Document> model_;
};

}  // namespace tfm::cli
