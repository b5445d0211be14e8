// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace tfm::cli {

/// A file that a command reads or writes, as given by the user.
struct GivenFile {
  std::string option;  ///< "--out"
  std::string path;    ///< empty: not given; "-": no file
};

/// Throws Error if a file to write is also read or written twice, possibly under different names,
/// so that its content would be lost.
void requireOtherFiles(const std::vector<GivenFile>& read, const std::vector<GivenFile>& written);

}  // namespace tfm::cli
