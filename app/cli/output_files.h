// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace tfm::cli {

/// A file that a command reads or writes, as it was given.
struct GivenFile {
  std::string option;  ///< "--out"
  std::string path;    ///< empty: not given; "-": no file
};

/// Throws Error where a file to be written is one that is read, or is to be written twice, whatever
/// its names: what was in it would be lost.
void requireOtherFiles(const std::vector<GivenFile>& read, const std::vector<GivenFile>& written);

}  // namespace tfm::cli
