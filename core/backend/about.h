// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace tfm {

/// The version, "0.1.0". Its one place is the project() of CMakeLists.txt.
std::string programVersion();

/// What a report of a fault should say of the program.
struct AboutLine {
  std::string name, value;
};

/// The commit it was built from ("unknown" where neither git nor the archive tells), with a plus
/// for uncommitted changes; compiler; the instruction set and the kernels of OpenBLAS that are used
/// on this processor; the files of plugins, none of which is opened.
std::vector<AboutLine> aboutProgram();

/// "NAME VERSION", then a line for each of the others, names and values in two columns.
std::string versionText(const std::string& name, const std::vector<AboutLine>& lines);

}  // namespace tfm
