// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace tfm::cli {

/// A file that a command reads or writes, as given by the user.
struct GivenFile {
  std::string option;  ///< "--out"
  std::string path;    ///< empty: not given; "-": no file
  /// Of a file to write: the endings that its format may have, the usual one first; empty: any.
  std::vector<std::string> endings = {};
};

/// The endings of what commands write.
inline const std::vector<std::string> kDocumentEndings{".safetensors", ".st"};
inline const std::vector<std::string> kTableEndings{".tsv", ".txt"};
inline const std::vector<std::string> kArrayEndings{".npz"};

/// Whether both are names of one file; false for "" and "-".
bool isSameFile(const std::string& one, const std::string& other);
/// Throws Error if the name ends as that of another format: other programs would misread the file.
/// A name without an ending is of any format, but does not replace a model by something else.
void requireEnding(const GivenFile& written);

/// Throws Error if a file to write is also read or written twice, possibly under different names,
/// so that its content would be lost, and as requireEnding().
void requireOtherFiles(const std::vector<GivenFile>& read, const std::vector<GivenFile>& written);

}  // namespace tfm::cli
